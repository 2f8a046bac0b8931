import { optionsPages } from './guides.ts'

/** For VitePress: the pages of options-[name].md. */
export default {
  paths: () => optionsPages().map(({ anchor, text }) => ({ params: { name: anchor }, content: text })),
}
