import { greys } from '../../../worker/kit/brand.ts'
import { contrast, darkFill } from '../../../worker/kit/contrast.ts'

/** A pair of colours, its contrast, and the minimum of WCAG 2.2: 4.5 for text, 3 for controls. */
export interface Pair {
  what: string
  ratio: number
  minimum: number
}

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text)

/** The contrast of what an accent is used for, in both themes. */
export function pairsOf({ light, dark }: { light: string; dark: string }): Pair[] {
  const pairs: Pair[] = []
  const add = (what: string, one: string, other: string, minimum: number) => {
    pairs.push({ what, ratio: contrast(one, other), minimum })
  }
  if (isColour(light)) {
    add('White text on the button, light', '#ffffff', light, 4.5)
    add('Link on a sheet, light', light, greys.surface.light, 4.5)
    add('Link on a sunken surface, light', light, greys.sunken.light, 4.5)
    const fill = darkFill(light)
    add('White text on the button, dark', '#ffffff', fill, 4.5)
    add('Button on a sheet, dark', fill, greys.surface.dark, 3)
  }
  if (isColour(dark)) {
    add('Link on a sheet, dark', dark, greys.surface.dark, 4.5)
    add('Link on a sunken surface, dark', dark, greys.sunken.dark, 4.5)
  }
  return pairs
}
