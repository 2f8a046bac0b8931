import { useLocation, useSearch } from 'wouter'
import type { CallbackError } from '../lib/callback-check.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { ButtonLink, type ButtonLook } from '../ui/button.tsx'
import { Sheet } from '../ui/page.tsx'
import { ErrorPanel } from '../ui/state.tsx'

const texts = defineTexts('rejectedCallback', {
  title: 'This link is not safe to follow',
  toHost: 'It leads on to {host}, a site that is not trusted here.',
  toNowhere: 'It leads on to an address that is not trusted here.',
  unknownTitle: 'This link could not be checked',
  unknown: 'It leads on to {host}. We could not check whether that site is trusted here.',
  without: 'Continue without it',
})

interface Props {
  result: 'rejected' | CallbackError
  /** Of the callback. */
  host: string | null
  retry(): void
}

/** A signed-out screen whose callback the server has not allowed. */
export default function RejectedCallback({ result, host, retry }: Props) {
  const t = useTexts(texts)
  const [path] = useLocation()
  const parameters = new URLSearchParams(useSearch())
  parameters.delete('callbackURL')
  const rest = parameters.toString()
  const without = (look: ButtonLook) => (
    <ButtonLink to={rest ? `${path}?${rest}` : path} look={look} wide>
      {t.without}
    </ButtonLink>
  )
  if (result !== 'rejected') {
    return (
      <Sheet title={t.unknownTitle} intro={t.unknown(host ?? '')}>
        <ErrorPanel error={result.error} onRetry={retry} />
        {without('secondary')}
      </Sheet>
    )
  }
  return (
    <Sheet title={t.title} intro={host ? t.toHost(host) : t.toNowhere}>
      {without('primary')}
    </Sheet>
  )
}
