import type { AuthError } from '../lib/auth/types.ts'
import { Button } from './button.tsx'
import { type Loadable, Loaded, type LoadedProps } from './state.tsx'

interface LoadedPagesProps<Page, Item> extends Omit<LoadedProps<Item[]>, 'of'> {
  of: Loadable<Page[]> & { more: { run(): void; busy: boolean; error?: AuthError | null } | null }
  items(page: Page): Item[]
  /** The label of the button that loads the next page. */
  more: string
}

export function LoadedPages<Page, Item>({ of, items, more, children, ...rest }: LoadedPagesProps<Page, Item>) {
  return (
    <Loaded {...rest} of={{ ...of, data: of.data?.flatMap(items) ?? null }}>
      {(list) => (
        <>
          {children(list)}
          {of.more && (
            <Button className="justify-self-start" busy={of.more.busy} onClick={of.more.run}>
              {more}
            </Button>
          )}
        </>
      )}
    </Loaded>
  )
}
