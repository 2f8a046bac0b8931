import { Link } from 'wouter'
import { useConfig } from '../lib/api.ts'
import { useContinuation } from '../lib/continuation.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { Note } from '../ui/state.tsx'

// What the sign-in shows when the browser or the server has refused it. Rarely needed, so not part of its first load.

const texts = defineTexts('refused', {
  noCookies:
    'Your browser does not keep cookies for this site, so you cannot stay signed in. Allow them in its settings, then sign in.',
  linkInstead: 'Email me a sign-in link instead',
  codeInstead: 'Email me a sign-in code instead',
  reset: 'Reset password',
})

export function NoCookies() {
  const t = useTexts(texts)
  return (
    <Note tone="warning" live>
      {t.noCookies}
    </Note>
  )
}

/** For users whose password was refused three times, or who are locked out. */
export function OtherWays() {
  const t = useTexts(texts)
  const { features } = useConfig()
  const { query } = useContinuation()
  const [path, label] = features.magicLink ? ['/sign-in/link', t.linkInstead] : ['/sign-in/code', t.codeInstead]
  const link = 'link inline-flex min-h-10 items-center'
  return (
    <p className="-my-1 grid justify-items-center">
      {(features.magicLink || features.emailOtp) && (
        <Link href={`${path}${query}`} className={link}>
          {label}
        </Link>
      )}
      <Link href={`/forgot-password${query}`} className={link}>
        {t.reset}
      </Link>
    </p>
  )
}
