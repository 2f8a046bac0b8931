import type { Language } from './language.ts'
import type { Palette, Themed } from './looks.ts'
import type { OwnTexts } from './texts.ts'

/** The brand for mails and for pages without scripts. All addresses are absolute. */
export interface Brand {
  name: string
  /** Addresses of a picture, shown 28 pixels high; often the same for both themes. */
  logo: Themed | null
  /** Addresses of the favicon. */
  favicon: Themed | null
  /** A colour such as `#2350c0` for each theme. White text can be read on the light one. */
  accent: Themed
  /** Those of the look. */
  colours: Palette
  /** The theme until the user chooses one, or for all users. */
  theme: 'system' | 'light' | 'dark'
  themeIsFixed: boolean
  /** Corners (px) of controls and of sheets. */
  corners: readonly [number, number]
  /** The address of the font of the screens. */
  font: string | null
  terms: string | null
  privacy: string | null
  /** An address of a page, or `mailto:`. */
  support: string | null
  /** Texts that replace ours, and those of more languages. */
  texts: OwnTexts
  /** All languages: the complete ones and those of `texts`. */
  languages: readonly Language[]
}

/** The typeface of the app, which the build names so that pages without the app use it too. */
export const fontFile = '/assets/inter-latin.woff2'
