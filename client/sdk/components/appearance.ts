import type { CSSProperties, ReactNode } from 'react'
import type { Declarations, ElementName, Elements } from '../../../worker/kit/elements.ts'
import { corners, derivedColours, type LookName, looks, type Palette } from '../../../worker/kit/looks.ts'

export interface AppearanceVariables {
  /** Links and outlines. */
  accent?: string
  accentHover?: string
  /** Solid buttons. */
  accentFill?: string
  accentFillHover?: string
  /** The background of highlighted notes. */
  accentWash?: string
  /** Text on solid buttons. */
  onFill?: string
  /** Cards, menus and dialogs. */
  surface?: string
  /** The background of hovered and inactive elements. */
  sunken?: string
  text?: string
  mutedText?: string
  /** Lines and frames of cards. */
  border?: string
  /** Frames of inputs. */
  inputBorder?: string
  danger?: string
  dangerFill?: string
  warning?: string
  success?: string
  /** The corners of buttons and inputs. */
  radius?: string
  /** The corners of cards and dialogs. */
  radiusLarge?: string
  /** A `font-family`. @default that of the page */
  font?: string
  /** What other font sizes and lengths multiply: a CSS length. `1rem` follows the root element. @default '16px' */
  size?: string
  /** The unit of distances. @default a quarter of `size` */
  spacing?: string
}

/** The custom properties of the stylesheet. */
const properties: Record<keyof AppearanceVariables, string> = {
  accent: 'color-accent',
  accentHover: 'color-accent-strong',
  accentFill: 'color-accent-fill',
  accentFillHover: 'color-accent-fill-strong',
  accentWash: 'color-accent-wash',
  onFill: 'color-on-fill',
  surface: 'color-surface',
  sunken: 'color-sunken',
  text: 'color-ink',
  mutedText: 'color-soft',
  border: 'color-line',
  inputBorder: 'color-edge',
  danger: 'color-danger',
  dangerFill: 'color-danger-fill',
  warning: 'color-warning',
  success: 'color-success',
  radius: 'radius',
  radiusLarge: 'radius-lg',
  font: 'font-sans',
  size: 'rem',
  spacing: 'spacing',
}

export interface Appearance {
  /** `system` follows the device. @default the `color-scheme` of the page */
  theme?: 'light' | 'dark' | 'system'
  /**
   * A prepared look, as `brand.look` of the hosted pages; `variables` and `elements` change it.
   * @default that of the deployment, with its colours
   */
  look?: LookName
  /** CSS values. `light-dark(#fff, #111)` has a value for each theme. */
  variables?: AppearanceVariables
  /**
   * By element: class names of the page, whose rules need `!important` in a layer (in Tailwind: `bg-black!`), or CSS
   * declarations such as `{ borderRadius: '999px', ':hover': { … } }`, as in `brand.elements` of the hosted pages. In the
   * document an element has the class `gh-` and its name.
   */
  elements?: Partial<Record<ElementName, string | Declarations>>
  /** Content of the page in `<SignIn>` and `<SignUp>`: above and below the screen. */
  slots?: { top?: ReactNode; bottom?: ReactNode }
}

/** Colours, corners and declarations. */
interface Shown {
  colors: Palette
  corners: { control: number; sheet: number }
  elements: Elements
}

/** The look that the page has chosen, or that of the deployment (`brand` of GET /config). */
function shownLook({ look }: Appearance, ofDeployment: Shown | null | undefined): Shown | null | undefined {
  if (!look) return ofDeployment
  const { colours, radius, elements } = looks[look]
  const [control, sheet] = corners[radius]
  return { colors: colours, corners: { control, sheet }, elements }
}

/** The colours and corners of a look as variables. */
function variablesOf({ colors, corners: { control, sheet } }: Shown): AppearanceVariables {
  const { paper: _, ...own } = colors
  const { fill, wash } = derivedColours(colors)
  const stronger = ({ light, dark }: { light: string; dark: string }, towards: string) =>
    `light-dark(color-mix(in oklab, ${light} 85%, black), color-mix(in oklab, ${dark} 90%, ${towards}))`
  const both = Object.entries({ ...own, accentFill: fill, accentWash: wash }).map(([name, { light, dark }]) => [
    name,
    `light-dark(${light}, ${dark})`,
  ])
  return {
    ...(Object.fromEntries(both) as AppearanceVariables),
    accentHover: stronger(colors.accent, 'white'),
    accentFillHover: stronger(fill, 'black'),
    radius: `${control}px`,
    radiusLarge: `${sheet}px`,
  }
}

/** The style of the root element. */
export function styleOf(appearance: Appearance, ofDeployment: Shown | null | undefined): CSSProperties {
  const look = shownLook(appearance, ofDeployment)
  const all = { ...(look ? variablesOf(look) : {}), ...appearance.variables }
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`--gh-${properties[name as keyof AppearanceVariables]}`, value]),
  )
}

/** The declarations of the look and of the page, by element. */
export function declarationsOf(appearance: Appearance, ofDeployment: Shown | null | undefined): Elements {
  const merged: Elements = { ...shownLook(appearance, ofDeployment)?.elements }
  for (const [name, value] of Object.entries(appearance.elements ?? {}) as [ElementName, string | Declarations][])
    if (typeof value !== 'string') merged[name] = { ...merged[name], ...value }
  return merged
}
