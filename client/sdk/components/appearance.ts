import type { CSSProperties } from 'react'

/** The custom properties of the stylesheet, by the names of `appearance.variables`. */
const properties = {
  /** Links and outlines. */
  accent: 'color-accent',
  accentHover: 'color-accent-strong',
  /** Solid buttons. */
  accentFill: 'color-accent-fill',
  accentFillHover: 'color-accent-fill-strong',
  /** The background of highlighted notes. */
  accentWash: 'color-accent-wash',
  /** Text on solid buttons. */
  onFill: 'color-on-fill',
  /** Cards, menus and dialogs. */
  surface: 'color-surface',
  /** The background of hovered and inactive elements. */
  sunken: 'color-sunken',
  text: 'color-ink',
  mutedText: 'color-soft',
  /** Lines and frames of cards. */
  border: 'color-line',
  /** Frames of inputs. */
  inputBorder: 'color-edge',
  danger: 'color-danger',
  dangerFill: 'color-danger-fill',
  warning: 'color-warning',
  success: 'color-success',
  /** The corners of buttons and inputs. */
  radius: 'radius',
  /** The corners of cards and dialogs. */
  radiusLarge: 'radius-lg',
  /** A `font-family`. @default that of the page */
  font: 'font-sans',
  /** What other font sizes and lengths multiply: a CSS length. `1rem` follows the root element. @default '16px' */
  size: 'rem',
  /** The unit of distances. @default a quarter of `size` */
  spacing: 'spacing',
} as const

/** The elements that take class names of the page. In the document they have the class `gh-` and the name. */
export type ElementName =
  | 'root'
  | 'card'
  | 'title'
  | 'intro'
  | 'section'
  | 'section-title'
  | 'field'
  | 'label'
  | 'control'
  | 'button'
  | 'button-primary'
  | 'button-secondary'
  | 'button-quiet'
  | 'button-danger'
  | 'button-destroy'
  | 'link'
  | 'note'
  | 'divider'
  | 'avatar'
  | 'badge'
  | 'menu'
  | 'menu-item'
  | 'dialog'
  | 'tabs'
  | 'tab'

export interface Appearance {
  /** `system` follows the device. @default the `color-scheme` of the page */
  theme?: 'light' | 'dark' | 'system'
  /** CSS values. `light-dark(#fff, #111)` has a value for each theme. */
  variables?: Partial<Record<keyof typeof properties, string>>
  /** Class names of the page. Their rules need `!important` in a layer (in Tailwind: `bg-black!`). */
  elements?: Partial<Record<ElementName, string>>
}

/** The style of the root element. */
export const styleOf = ({ variables = {} }: Appearance): CSSProperties =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [`--gh-${properties[name as keyof typeof properties]}`, value]),
  )

/** The class of the root element's theme. */
export const themeClass = ({ theme }: Appearance): string => (theme ? `root-${theme}` : '')
