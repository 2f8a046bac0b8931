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
  divider?: 'before' | 'after'
  /** On the page that makes accounts. */
  signingUp?: boolean
  onSignedIn(way: string, answer: SignInAnswer): void
}

/** Ways beside the form, set off from it; nothing where none is switched on. */
export function Ways({ list, divider, signingUp, onSignedIn }: WaysProps) {
  const t = useTexts(signInTexts)
  const ways = useWays(list)
  if (ways.length === 0) return null
  return (
    <Suspense>
      {divider === 'before' && <Divider>{t.moreWays}</Divider>}
      <div className="grid gap-3 empty:hidden">
        {ways.map(({ id, component: Way }) => (
          <Way
            key={id}
            callbackURL={continuation().callbackURL}
            lastUsed={lastUsed.get() === id}
            signingUp={signingUp}
            onSignedIn={(answer) => onSignedIn(id, answer)}
          />
        ))}
      </div>
      {divider === 'after' && <Divider>{t.orDivider}</Divider>}
    </Suspense>
  )
}
