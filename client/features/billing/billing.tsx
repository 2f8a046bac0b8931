import { useSearchParams } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { ErrorPanel, Note } from '../../ui/state.tsx'
import { useBillingState } from './billing-data.ts'
import { Benefits, Meters } from './included.tsx'
import { Orders } from './orders.tsx'
import { Plans } from './plans.tsx'
import { Returned } from './returned.tsx'
import { Subscriptions } from './subscriptions.tsx'
import { billingTexts } from './texts.ts'

/** What the signed-in person has bought and can buy. Each part stands by itself when the provider fails. */
export default function Billing() {
  const t = useTexts(billingTexts)
  const language = useLanguage()
  const [query] = useSearchParams()
  const checkoutId = query.get('checkout_id')
  const asOf = useBillingState().data?.asOf
  const portal = useAction(() => auth.customer.portal())
  return (
    <Page
      title={t.title}
      intro={t.intro}
      actions={
        <Button busy={portal.busy} onClick={portal.run} title={t.portalHint}>
          {t.portal}
        </Button>
      }
    >
      {portal.error && <ErrorPanel error={portal.error} errors={t.errors} />}
      {checkoutId && <Returned checkoutId={checkoutId} />}
      {asOf && <Note>{t.asOf(asOf.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' }))}</Note>}
      <Plans />
      <Subscriptions />
      <Meters />
      <Benefits />
      <Orders />
    </Page>
  )
}
