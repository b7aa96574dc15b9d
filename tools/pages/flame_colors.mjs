// Colors of a flame graph. Pure functions. Texts on bars have a contrast of at least 4.5.
import { kinds } from "./flame_tree.mjs";

function hashOf(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; ++i) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 2246822519) >>> 0;
}

/** Returns the color of a hue from 0 to 359, saturation and lightness from 0 to 1, as [r, g, b]. */
export function rgbOf(hue, saturation, lightness) {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}

/** Returns the contrast of two colors, 1 to 21, as WCAG defines it. */
export function contrastOf(one, other) {
  const luminance = (color) => {
    const [r, g, b] = color.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The color of text on bars. */
export function textColor(dark) {
  return dark ? [245, 246, 248] : [22, 24, 29];
}

/** Returns the color of the bars of a module. Kernel modules are cold colors, all others are warm or green. */
export function moduleColor(module, kind, dark) {
  if (kind === kinds.mark || kind === kinds.process) {
    return rgbOf(220, kind === kinds.mark ? 0.04 : 0.14, dark ? 0.3 : 0.84);
  }
  const hash = hashOf(module.toLowerCase());
  const hue = kind === kinds.kernel ? 195 + (hash % 50) : (hash % 17) * 9;
  const shade = ((hash >>> 10) % 4) * 0.02;
  return dark ? rgbOf(hue, 0.4, 0.25 + shade) : rgbOf(hue, 0.64, 0.75 + shade);
}

/** Returns the color of a change from -1 (less, blue) to 1 (more, red). */
export function changeColor(change, dark) {
  const strength = Math.min(1, Math.abs(change)) ** 0.6;
  const hue = change > 0 ? 8 : 214;
  return dark
    ? rgbOf(hue, 0.08 + 0.62 * strength, 0.27 + 0.08 * strength)
    : rgbOf(hue, 0.1 + 0.8 * strength, 0.9 - 0.2 * strength);
}

/** Returns a color for CSS and canvas. */
export function cssColor(color) {
  return `rgb(${color.join(",")})`;
}
