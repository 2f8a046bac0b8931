import MiniSearch, { type Options } from 'minisearch'

/** A section of a guide, as the search sees it. */
export interface IndexedSection {
  guide: string
  title: string
  heading: string
  text: string
}

/** Words that most questions have, and that say nothing about a guide. */
const stopWords = new Set(
  'a an and are as at be by can do does for from gatehouse get have how i if in into is it its me my of on or our should so that the their them they this to use user users want we what when where which who why will with without you your'.split(
    ' ',
  ),
)

/** Words of a question that the guides write differently. */
const synonyms: Record<string, string[]> = {
  '2fa': ['two-factor', 'factor'],
  mfa: ['two-factor', 'factor'],
  login: ['sign-in', 'sign'],
  signin: ['sign-in', 'sign'],
  signup: ['sign-up'],
  register: ['sign-up'],
  logout: ['sign-out', 'session'],
  sso: ['single', 'saml', 'enterprise'],
  localhost: ['development', 'origin'],
  cors: ['origin', 'trustedorigin'],
  translation: ['language', 'text'],
  translate: ['language', 'text'],
  localization: ['language'],
  i18n: ['language'],
  logo: ['brand'],
  colour: ['brand'],
  color: ['brand'],
  theme: ['brand'],
  sms: ['phone', 'text'],
  migrate: ['move', 'import'],
  team: ['organization'],
  tenant: ['organization'],
  protect: ['protected', 'require'],
  backup: ['back', 'restore'],
  stripe: ['billing'],
  subscription: ['billing'],
  app: ['client', 'oauth'],
  gdpr: ['privacy', 'personal', 'export'],
}

/** Guides that list names come after those that explain: each of their headings is a single word of many questions. */
const references: Record<string, number> = {
  troubleshooting: 0.25,
  endpoints: 0.25,
  options: 0.6,
  'options-of-better-auth': 0.3,
}

/** A word in the form of the index: lower case, without the ending of the plural. */
const termOf = (word: string): string | null => {
  const lower = word.toLowerCase()
  if (stopWords.has(lower)) return null
  return lower.length > 3 && /[^s]s$/.test(lower) ? lower.slice(0, -1) : lower
}

/** Words, and also the parts of a compound such as `sign-in` or `trustedOrigins`. */
const tokensOf = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []).flatMap((word) => {
    const parts = word.split(/[-_]|(?<=[a-z])(?=[A-Z])/).filter(Boolean)
    return parts.length > 1 ? [word, ...parts] : [word]
  })

/** How sections are indexed and found, by the MCP server and by the search of the documentation site. */
export const indexOptions: Options = {
  fields: ['title', 'heading', 'text', 'guide'],
  storeFields: ['guide', 'title', 'heading'],
  tokenize: tokensOf,
  processTerm: termOf,
  searchOptions: {
    boost: { title: 4, heading: 3, guide: 3 },
    boostDocument: (_id, _term, stored) => references[String(stored?.guide)] ?? 1,
    combineWith: 'OR',
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    tokenize: (text) => tokensOf(text).flatMap((word) => [word, ...(synonyms[termOf(word) ?? ''] ?? [])]),
  },
}

/** The sections by their position. MiniSearch ranks by BM25. */
export function indexOf(sections: readonly IndexedSection[]): (query: string) => number[] {
  const index = new MiniSearch<IndexedSection & { id: number }>(indexOptions)
  index.addAll(sections.map((section, id) => ({ id, ...section })))
  return (query) => index.search(query).map(({ id }) => id as number)
}
