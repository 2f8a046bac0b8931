import type { CSSProperties } from 'react'

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
  variables?: AppearanceVariables
  /** Class names of the page. Their rules need `!important` in a layer (in Tailwind: `bg-black!`). */
  elements?: Partial<Record<ElementName, string>>
}

/** The style of the root element. */
export const styleOf = ({ variables = {} }: Appearance): CSSProperties =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [`--gh-${properties[name as keyof AppearanceVariables]}`, value]),
  )
