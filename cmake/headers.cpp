// Nothing: what is compiled are the headers that a target has in common.
