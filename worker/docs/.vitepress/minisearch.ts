import MiniSearch from 'minisearch'
import { indexOptions } from '../../cli/mcp/guide-index.ts'

/** The box inserts titles as HTML. */
const html = (heading: string): string =>
  heading.replaceAll('`', '').replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)

/** The search box of the theme takes this for MiniSearch. */
export default {
  loadJSON(json: string) {
    const index = MiniSearch.loadJSON(json, indexOptions)
    return {
      search: (query: string) =>
        index.search(query).map((found) => {
          const isPage = found.heading === found.title || found.heading === ''
          return {
            ...found,
            title: html(isPage ? found.title : found.heading),
            titles: isPage ? [] : [html(found.title)],
          }
        }),
    }
  },
}
