import type { PageFrame } from '../../worker/kit/first-screen.ts'
import type { KnownAccount } from '../../worker/kit/known-account.ts'
import type { Language } from '../../worker/kit/language.ts'
import type { Words } from '../../worker/kit/texts.ts'

/** The texts of the configuration (`brand.texts`), which the page contains for its language. */
export interface PageTexts {
  /** The languages with such texts. */
  languages: Language[]
  language: Language
  words: Words
}

function read<Data>(id: string): Data | null {
  const text = globalThis.document?.getElementById(id)?.textContent
  return text ? (JSON.parse(text) as Data) : null
}

/** What the Worker has written into the page. app/prerender.tsx sets it. */
export const given = {
  config: read<object>('config'),
  texts: read<PageTexts>('texts'),
  frame: read<PageFrame>('frame'),
  known: read<KnownAccount[]>('known'),
  hasSession: globalThis.document?.documentElement.dataset.session !== undefined,
}

export const frameAt = (path: string): PageFrame | null => (given.frame?.path === path ? given.frame : null)
