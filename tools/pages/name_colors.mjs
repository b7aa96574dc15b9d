// Colors of names: in all panels and pages, a name has the color that its letters choose, unless another one has it that is shown
// together with it. Pure functions and a book of names.

// Told apart by people who confuse colors, too (tests/pages/colors.test.mjs).
const lightNames = ["#0abaff", "#680c92", "#6c3cff", "#dd1cb6", "#8f8806", "#0d00d8", "#2380d3", "#c7003e", "#eb706e", "#824f74", "#831c00", "#daa634"];
const darkNames = ["#39c9ff", "#d5061b", "#2287d9", "#6849ff", "#91ffff", "#b6789d", "#98d619", "#ff91d0", "#99ac7b", "#e0770b", "#f4f957", "#ffcea5"];
const rounds = [1, 0.72, 1.28]; // of lightness: what follows when all are used

const others = { light: [150, 156, 166], dark: [98, 106, 120] };

/** The number of colors of names, and of those that differ most: the first ones. */
export const nameColors = lightNames.length * rounds.length;
export const apartColors = lightNames.length;

/** Returns a color of names by its number, as [r, g, b]. */
export function nameColor(number, dark) {
  const color = (dark ? darkNames : lightNames)[number % lightNames.length];
  const factor = rounds[Math.floor(number / lightNames.length) % rounds.length];
  return [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16);
    return Math.round(factor <= 1 ? part * factor : 255 - (255 - part) * (2 - factor) * 0.8);
  });
}

/** Returns the color of what has no name of its own: several, others, unknown. */
export function otherColor(dark) {
  return others[dark ? "dark" : "light"];
}

/** Returns the number of the color that a name has if it is alone. */
export function preferredColor(name) {
  let hash = 2166136261;
  for (let i = 0; i < name.length; ++i) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  }
  hash ^= hash >>> 15;
  return (Math.imul(hash, 2246822519) >>> 0) % lightNames.length;
}

/** Gives each name a color, which stays. */
export class ColorBook {
  constructor() {
    this.numbers = new Map();
    this.isStarted = false;
  }

  /**
   * Begins with the names that matter most, in groups that are shown together: no two names of a group share a color, unless it has
   * more names than there are colors. Until then all names are gray, so that colors do not depend on what is asked first.
   * @param {string[][]} groups
   */
  start(groups) {
    this.isStarted = true;
    const taken = groups.map(() => new Set()); // numbers
    const groupsOf = new Map();
    groups.forEach((group, i) => group.forEach((name) => groupsOf.set(name, [...(groupsOf.get(name) ?? []), i])));
    groupsOf.forEach((of, name) => {
      const number = this.choose(name, new Set(of.flatMap((group) => [...taken[group]])));
      of.forEach((group) => taken[group].add(number));
    });
  }

  /** Gives a name a color whose number is not taken, if there is one, and returns it. */
  choose(name, taken) {
    if (!this.numbers.has(name)) {
      const preferred = preferredColor(name);
      const inOrder = Array.from({ length: nameColors }, (_, i) => {
        const round = Math.floor(i / apartColors) * apartColors;
        return round + ((preferred + i) % apartColors);
      });
      this.numbers.set(name, inOrder.find((number) => !taken.has(number)) ?? preferred);
    }
    return this.numbers.get(name);
  }

  numberOf(name) {
    return this.numbers.get(name) ?? this.choose(name, new Set(this.numbers.values()));
  }

  /** Returns the color of a name as [r, g, b]. */
  rgbOf(name, dark) {
    return this.isStarted ? nameColor(this.numberOf(name), dark) : otherColor(dark);
  }
}
