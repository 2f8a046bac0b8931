/** Red, green and blue of a colour such as `#2350c0`, in linear light from 0 to 1. */
const linear = (colour: string): number[] =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })

const hex = (parts: readonly number[]): string =>
  parts.reduce((text, part) => {
    const value = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055
    return (
      text +
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0')
    )
  }, '#')

const weigh = ([red = 0, green = 0, blue = 0]: readonly number[]): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue

/** The relative luminance of a colour such as `#2350c0` (WCAG 2.2, definition of relative luminance). */
const luminance = (colour: string): number => weigh(linear(colour))

/** White text has a contrast of 4.8 to it, and it has 3.2 to the lightest dark paper. */
const fillLuminance = 0.167

/**
 * The colour of a fill in the dark theme: `colour`, but light enough to be visible on dark paper, and dark enough for
 * white text.
 * @param colour has a contrast of at least 4.5 to white
 */
export function darkFill(colour: string): string {
  const parts = linear(colour)
  const wanted = Math.max(fillLuminance, weigh(parts))
  // First brighter in its own hue; what a full channel lacks is added as white.
  const factor = Math.min(wanted / weigh(parts), 1 / Math.max(...parts))
  const bright = Number.isFinite(factor) ? parts.map((part) => part * factor) : parts
  const white = (wanted - weigh(bright)) / (1 - weigh(bright))
  return hex(bright.map((part) => part + white * (1 - part)))
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, definition of contrast ratio). */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** `share` (0 to 1) of a colour over another one, as a browser mixes them in sRGB. */
export const mixed = (colour: string, over: string, share: number): string =>
  [1, 3, 5].reduce((text, at) => {
    const [one, other] = [colour, over].map((given) => Number.parseInt(given.slice(at, at + 2), 16)) as [number, number]
    return (
      text +
      Math.round(one * share + other * (1 - share))
        .toString(16)
        .padStart(2, '0')
    )
  }, '#')
