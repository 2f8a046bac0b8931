import { useAction } from '../../lib/action.ts'
import { auth, useConfig } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { useBillingState } from './billing-data.ts'
import { billingTexts } from './texts.ts'

/** What can be bought, from the configuration; the checkout is the provider's. */
export function Plans() {
  const t = useTexts(billingTexts)
  const { data } = useBillingState()
  const buy = useAction((slug: string) => auth.checkout({ slug }))
  const products = useConfig().billing?.products ?? []
  if (products.length === 0) return null
  const active = new Set(data?.activeSubscriptions.map(({ productId }) => productId as string))
  return (
    <Section title={t.plans}>
      {buy.error && <ErrorPanel error={buy.error} errors={t.errors} />}
      <ul className="grid gap-4 sm:grid-cols-2">
        {products.map(({ slug, productId, name = slug, description }) => (
          <li key={slug} className="grid content-between gap-4 rounded border p-4">
            <div className="grid gap-1">
              <p className="flex flex-wrap items-center gap-2 font-semibold">
                {name} {active.has(productId) && <Badge tone="success">{t.current}</Badge>}
              </p>
              {description && <p className="text-soft">{description}</p>}
            </div>
            {!active.has(productId) && (
              <Button busy={buy.busy} onClick={() => buy.run(slug)}>
                {t.buy(name)}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
