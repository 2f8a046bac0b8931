import { useEffect } from 'react'
import { useSearch } from 'wouter'
import { useConfig } from '../../lib/api.ts'
import { useCallbackCheck } from '../../lib/callback-check.ts'
import { continuationOf } from '../../lib/continuation.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { planTexts } from './plans.texts.ts'

const key = 'billing-return'

const kept = (): string => {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** Keeps `?callbackURL=` of a product that sends its user here, over the checkout at the provider. */
export function useReturnAddress(): void {
  const search = useSearch()
  useEffect(() => {
    const { query } = continuationOf(search, location.origin)
    try {
      if (query) sessionStorage.setItem(key, query)
    } catch {
      // Without storage billing.returnUrl remains.
    }
  }, [search])
}

/** After a purchase: the way back to the page that the user came from, else to `billing.returnUrl`. */
export function BackToProduct() {
  const t = useTexts(planTexts)
  const { name, billing } = useConfig()
  const { callbackURL, path } = continuationOf(kept(), location.origin)
  const [result] = useCallbackCheck(path ? undefined : callbackURL)
  const to = (result === 'allowed' && (path ?? callbackURL)) || billing?.returnUrl
  if (!to) return null
  return (
    <p className="mt-3">
      <a href={to} className={buttonClass('primary')}>
        {t.back(name)}
      </a>
    </p>
  )
}
