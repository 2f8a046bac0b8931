import type { KnownAccount } from './known-account.ts'
import type { Words } from './texts.ts'

// A screen of the app that the Worker writes into the page, before a script has run.

/** What the build writes into the module of the screens (client/vite.config.ts). */
export interface TextsOfScreens {
  /** English. A language has them in its file for members. */
  frames: ScreenTexts['frames']
  /** The addresses of the files of each language. */
  files: Readonly<Record<string, Readonly<Record<'visitor' | 'member', string>>>>
}

export interface ScreenTexts {
  /** The texts of the app and of the Worker's own pages; none for English, which is in the code. */
  words: Words
  /** The texts of the frames of signed-in screens, by `dictionary.key`. */
  frames: Readonly<Record<string, string>>
}

/** The inputs of a screen. */
export interface ScreenRequest {
  baseUrl: string
  path: string
  /** '' or '?…' */
  search: string
  hasSession: boolean
  /** The result of GET /config. */
  config: object
  language: string
  texts: ScreenTexts
  /** The texts of the configuration in the language. */
  own: Words
  /** The accounts of the browser, without a session. */
  known: readonly KnownAccount[]
}

/** What the page contains of a signed-in screen: its title, its introduction and the heads of its sections. */
export interface PageFrame {
  path: string
  title: string
  intro?: string
  wide?: boolean
  /** It has tabs. */
  tabs?: boolean
  /** A section with null has no head. */
  sections: readonly ({ title: string; intro: string } | null)[]
}

/** A screen before a script has run. */
export interface FirstScreen {
  html: string
  /** HTML, too. */
  title: string
  /** Of a signed-in screen. */
  frame: PageFrame | null
  /** The paths that it will request, below /api/auth. */
  requests: readonly string[]
}
