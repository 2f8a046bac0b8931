import { useAction } from './action.ts'
import { auth } from './api.ts'
import type { AuthError, Result } from './auth/types.ts'
import { useView, type Watched } from './auth/use-view.ts'
import { createView, type View } from './auth/view.ts'
import { typed } from './typed.ts'

/** The loaded data of the signed-in screens, by key. */
const queries = new Map<string, { key: Key; view: View<unknown> }>()

/** The first part names the data. The signals of lib/auth/client.ts are such names. */
type Key = readonly [string, ...(string | null)[]]
type Load<Data> = () => Promise<Result<Data>>

const maxAge = 10_000
const idle = createView<never>(() => new Promise(() => undefined), { known: null as never })

const isTransient = ({ status }: AuthError) => status === 0 || status >= 502

/** Retries twice when the server was unreachable. */
async function withRetries<Data>(load: Load<Data>): Promise<Result<Data>> {
  for (const pause of [1000, 2000]) {
    const result = await load()
    if (!result.error || !isTransient(result.error)) return result
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return load()
}

function viewOf<Data>(key: Key, load: Load<Data>): View<Data> {
  const name = JSON.stringify(key)
  let query = queries.get(name)
  if (!query) {
    query = { key, view: createView<unknown>(() => withRetries(load), { maxAge }) }
    queries.set(name, query)
  }
  return query.view as View<Data>
}

/**
 * Data of the server, shared by all components that use the same key.
 * @param key of everything that `load` depends on
 * @param enabled without it nothing is loaded
 */
export const useQuery = <Data>(key: Key, load: Load<Data>, enabled = true): Watched<Data> =>
  useView(enabled ? viewOf(key, load) : idle)

/** Loads every query again whose key begins with `name`. */
export function refreshQueries(...names: string[]): void {
  for (const { key, view } of queries.values()) if (names.includes(key[0])) view.invalidate()
}

interface Pages<Page> extends Watched<Page[]> {
  /** Loads the next page; null after the last one. */
  more: { run(): void; busy: boolean; error: AuthError | null } | null
}

/**
 * A list of the server that is loaded page by page.
 * @param nextOf the cursor of the page after a page
 * @param enabled without it nothing is loaded
 */
export function usePages<Page>(
  key: Key,
  load: (cursor?: string) => Promise<Result<Page>>,
  nextOf: (page: Page) => string | null,
  enabled = true,
): Pages<Page> {
  const view: View<Page[]> = viewOf(key, async () => {
    const pages: Page[] = []
    let cursor: string | null | undefined
    do {
      const { data, error } = await load(cursor ?? undefined)
      if (error) return { data: null, error }
      pages.push(data)
      cursor = nextOf(data)
    } while (cursor && pages.length < (view.get().data?.length ?? 1))
    return { data: pages, error: null }
  })
  const watched: Watched<Page[]> = useView(enabled ? view : idle)
  const pages = watched.data ?? []
  const cursor = pages.length > 0 ? nextOf(pages.at(-1)!) : null
  const more = useAction(
    () => load(cursor!),
    (page) => view.set([...pages, page]),
  )
  return { ...watched, more: cursor ? more : null }
}

auth.$onChange((signals) => refreshQueries(...signals))

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') for (const { view } of queries.values()) view.invalidate(maxAge)
})

addEventListener('online', () => {
  for (const { view } of queries.values()) if (view.get().error) view.invalidate()
})

// One user's data is never shown to another one.
let userId = auth.$session.get().data?.user.id
// Loading here would call the page's own origin where a component has not yet named its deployment.
auth.$session.observe(() => {
  const next = auth.$session.get().data?.user.id
  if (userId && userId !== next) queries.clear()
  if (next) typed.set('')
  userId = next
})

export const useAccounts = () => useQuery(['accounts'], () => auth.listAccounts())

export const hasPassword = (accounts: { provider: string }[]): boolean =>
  accounts.some(({ provider }) => provider === 'credential')

export const useOrganizations = (enabled = true) => useQuery(['organizations'], () => auth.organization.list(), enabled)

export const useActiveOrganization = () =>
  useQuery(['activeOrganization'], () => auth.organization.getFullOrganization())

export const usePasskeys = (enabled = true) => useQuery(['passkeys'], () => auth.passkey.listUserPasskeys(), enabled)
