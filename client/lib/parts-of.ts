/** The parts of a text that separates them by commas, spaces or lines. */
export const partsOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '')
