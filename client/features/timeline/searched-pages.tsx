import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { LoadedPages } from '../../ui/loaded-pages.tsx'
import { recordTexts } from './records.texts.ts'

/** A page of a log. It can have few records, because it reads a bounded part of the log. */
interface LogPage {
  searchedTo: Date | null
}

/** The records of a full page. */
export const logPageSize = 20

/** Pages that are loaded without a click. */
const maxInTurn = 15

type Props<Page extends LogPage, Item> = ComponentProps<typeof LoadedPages<Page, Item>>

/** A log: loads further pages until it has as many records as a page, and shows how far it is searched. */
export function SearchedPages<Page extends LogPage, Item>({ of, empty, ...rest }: Props<Page, Item>) {
  const t = useTexts(recordTexts)
  const language = useLanguage()
  // Where the last click, or the first page, has begun.
  const begun = useRef({ pages: 0, entries: 0 })
  const pages = of.data ?? []
  const { more } = of
  const entries = pages.reduce((sum, page) => sum + rest.items(page).length, 0)
  if (pages.length <= begun.current.pages) begun.current = { pages: 0, entries: 0 }
  const isShort = pages.length > 0 && entries - begun.current.entries < logPageSize && more !== null
  const isSearching = isShort && pages.length - begun.current.pages < maxInTurn && !more.error
  useEffect(() => {
    if (isSearching && !more.busy) more.run()
  })
  const to = pages.at(-1)?.searchedTo
  const month = to?.toLocaleDateString(language, { month: 'long', year: 'numeric' })
  const next = more && {
    ...more,
    run() {
      begun.current = { pages: pages.length, entries }
      more.run()
    },
  }
  const progress: ReactNode = month && isShort && (
    <p role="status" className="text-soft">
      {isSearching ? t.searching(month) : t.searched(month)}
    </p>
  )
  const further = next && !isSearching && (
    <Button className="justify-self-start" busy={next.busy} onClick={next.run}>
      {rest.more}
    </Button>
  )
  return (
    <>
      <LoadedPages
        {...rest}
        of={{ ...of, more: isSearching ? null : next }}
        empty={
          isShort ? (
            <>
              {progress}
              {further}
            </>
          ) : (
            empty
          )
        }
      />
      {entries > 0 && progress}
    </>
  )
}
