import type { ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useCallbackCheck } from '../lib/callback-check.ts'
import { continuationOf } from '../lib/continuation.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Sheet } from '../ui/page.tsx'
import { Skeleton } from '../ui/state.tsx'

const texts = defineTexts(
  {
    title: 'This link is not safe to follow',
    toHost: (host: string) => `It leads on to ${host}, a site that is not trusted here.`,
    toNowhere: 'It leads on to an address that is not trusted here.',
    without: 'Continue without it',
  },
  {
    title: 'Dieser Link ist nicht sicher',
    toHost: (host) => `Er führt weiter zu ${host}. Diese Website gilt hier nicht als vertrauenswürdig.`,
    toNowhere: 'Er führt weiter zu einer Adresse, die hier nicht als vertrauenswürdig gilt.',
    without: 'Ohne Weiterleitung fortfahren',
  },
)

/** Whoever comes with the address of another site hears before anything else whether they can go back to it. */
export function CheckedCallback({ children }: { children: ReactNode }) {
  const t = useTexts(texts)
  const [path] = useLocation()
  const search = useSearch()
  const { callbackURL, host, path: ours } = continuationOf(search, location.origin)
  const verdict = useCallbackCheck(ours ? undefined : callbackURL)
  if (verdict === 'allowed') return children
  if (verdict === 'checking') return <Skeleton lines={5} />
  const parameters = new URLSearchParams(search)
  parameters.delete('callbackURL')
  const rest = parameters.toString()
  return (
    <Sheet title={t.title} intro={host ? t.toHost(host) : t.toNowhere}>
      <ButtonLink to={rest ? `${path}?${rest}` : path} look="primary" wide>
        {t.without}
      </ButtonLink>
    </Sheet>
  )
}
