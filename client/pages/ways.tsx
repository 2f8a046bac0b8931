import { ChevronDown } from 'lucide-react'
import { Suspense } from 'react'
import { useConfig } from '../lib/api.ts'
import type { SignInAnswer } from '../lib/auth/endpoints.ts'
import { continuation } from '../lib/continuation.ts'
import { lastUsed } from '../lib/last-used.ts'
import { useTexts } from '../lib/texts/texts.ts'
import type { Way } from '../lib/ways.ts'
import { Divider } from '../ui/page.tsx'
import { signInTexts } from './sign-in.texts.ts'

/** Those of a list that are switched on. */
export function useWays(list: Way[]): Way[] {
  const config = useConfig()
  return list.filter((way) => way.when(config))
}

interface WaysProps {
  list: Way[]
  /** An "or" stands between them and what follows. */
  divided?: boolean
  /** On the page that makes accounts. */
  signingUp?: boolean
  onSignedIn(way: string, answer: SignInAnswer): void
}

/** Ways beside the form; nothing where none is switched on. The place of each is kept while its code is loading. */
export function Ways({ list, divided, signingUp, onSignedIn }: WaysProps) {
  const t = useTexts(signInTexts)
  const config = useConfig()
  const ways = useWays(list)
  if (ways.length === 0) return null
  return (
    <>
      <div className="grid gap-3 empty:hidden">
        {ways.map(({ id, height, component: Way }) => (
          <Suspense key={id} fallback={height && <div style={{ height: `${height(config)}rem` }} />}>
            <Way
              callbackURL={continuation().callbackURL}
              lastUsed={lastUsed.get() === id}
              signingUp={signingUp}
              onSignedIn={(answer) => onSignedIn(id, answer)}
            />
          </Suspense>
        ))}
      </div>
      {divided && <Divider>{t.orDivider}</Divider>}
    </>
  )
}

/** The rarer ways, behind one line; open at once where one of them was used the last time. */
export function MoreWays(props: WaysProps) {
  const t = useTexts(signInTexts)
  const ways = useWays(props.list)
  if (ways.length === 0) return null
  return (
    <details className="group" open={ways.some(({ id }) => id === lastUsed.get())}>
      <summary className="mx-auto flex min-h-10 w-fit list-none items-center gap-1.5 rounded px-2 text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        {t.moreWays}
        <ChevronDown aria-hidden size={16} className="group-open:rotate-180" />
      </summary>
      <div className="mt-3">
        <Ways {...props} />
      </div>
    </details>
  )
}
