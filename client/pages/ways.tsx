import { ChevronDown } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import { useConfig } from '../lib/api.ts'
import type { SignInAnswer } from '../lib/auth/endpoints.ts'
import { useContinuation } from '../lib/continuation.ts'
import { type UsedMethod, useLastUsed } from '../lib/last-used.ts'
import { useTexts } from '../lib/texts/texts.ts'
import type { Way } from '../lib/ways.ts'
import { Divider } from '../ui/page.tsx'
import { signInTexts } from './sign-in.texts.ts'

export function useWays(list: Way[]): Way[] {
  const config = useConfig()
  const { ways } = config.brand
  // Those that brand.ways does not name follow in their order.
  const rank = ({ id }: Way) => ways.indexOf(id) + 1 || list.length + ways.length
  return list.filter((way) => way.when(config)).sort((one, other) => rank(one) - rank(other))
}

interface WaysProps {
  list: Way[]
  /** Followed by an "or". */
  divided?: boolean
  signingUp?: boolean
  onSignedIn(used: UsedMethod, answer: SignInAnswer): void
}

/** The ways next to the form. Their height is reserved while their code loads. */
export function Ways({ list, divided, signingUp, onSignedIn }: WaysProps) {
  const t = useTexts(signInTexts)
  const config = useConfig()
  const { callbackURL } = useContinuation()
  const ways = useWays(list)
  const last = useLastUsed()
  // The last used way is in its place now.
  useEffect(() => {
    delete document.documentElement.dataset.used
  }, [])
  if (ways.length === 0) return null
  return (
    <>
      <div className="ways grid gap-3 empty:hidden">
        {ways.map(({ id, used = id, height, component: Way }) => (
          <Suspense key={id} fallback={height && <div style={{ height: `${height(config)}rem` }} />}>
            <Way
              callbackURL={callbackURL}
              lastUsed={last === used}
              signingUp={signingUp}
              onSignedIn={(answer) => onSignedIn(used, answer)}
            />
          </Suspense>
        ))}
      </div>
      {divided && <Divider>{t.orDivider}</Divider>}
    </>
  )
}

/**
 * Less frequent ways, behind a disclosure; open if one of them was used last.
 * @param closed behind the accounts of the browser: among them are providers, which need no script
 */
export function MoreWays({ closed, ...props }: WaysProps & { closed?: boolean }) {
  const t = useTexts(signInTexts)
  const ways = useWays(props.list)
  const used = useLastUsed()
  if (ways.length === 0) return null
  return (
    <details className={closed ? 'group' : 'group needs-script'} open={!closed && ways.some(({ id }) => id === used)}>
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
