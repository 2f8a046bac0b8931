import type { ElementName, Elements } from '../../../kit/elements.ts'
import { corners, type Look, type LookName, looks, type Palette, type Themed } from '../../../kit/looks.ts'

/** The options that change a look. */
interface Changes {
  look: LookName
  accent: { light: string | null; dark: string | null }
  colors: Readonly<Partial<Record<string, string | Themed | null>>>
  radius: Look['radius'] | null
  elements: Elements
}

/** A brand with the look that its options result in. */
export function colouredBrand({ look, accent, colors, radius, elements }: Changes) {
  const base: Look = looks[look]
  const colours: Palette = { ...base.colours }
  for (const [name, value] of Object.entries(colors))
    if (value) colours[name as keyof Palette] = typeof value === 'string' ? { light: value, dark: value } : value
  colours.accent = { light: accent.light ?? base.colours.accent.light, dark: accent.dark ?? base.colours.accent.dark }
  const merged: Elements = { ...base.elements }
  for (const [name, declarations] of Object.entries(elements))
    merged[name as ElementName] = { ...merged[name as ElementName], ...declarations }
  return { colours, corners: corners[radius ?? base.radius], elements: merged }
}
