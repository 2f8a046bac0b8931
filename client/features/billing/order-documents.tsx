import { useEffect, useRef, useState } from 'react'
import { auth } from '../../lib/api.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { leave } from '../../lib/leave.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { ErrorPanel } from '../../ui/state.tsx'
import type { Order } from './billing-data.ts'
import { planTexts } from './plans.texts.ts'

const pollInterval = 2000
const attempts = 10

/** Invoice and receipt of a paid order. The provider makes an invoice when it is requested for the first time. */
export function OrderDocuments({ order }: { order: Order }) {
  const t = useTexts(planTexts)
  const language = useLanguage()
  const [busy, setBusy] = useState<'invoice' | 'receipt' | null>(null)
  const [isSlow, setSlow] = useState(false)
  const [error, setError] = useState<AuthError | null>(null)
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  if (!order.paid) return <span className="text-soft">–</span>

  async function open(document: 'invoice' | 'receipt') {
    setBusy(document)
    setSlow(false)
    setError(null)
    for (let attempt = 0; attempt < attempts && isHere.current; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, pollInterval))
      const { data, error } = await auth.customer.orders.document({ orderId: order.id, document })
      if (error || data.url) {
        if (!isHere.current) return
        setBusy(null)
        setError(error)
        if (data?.url) leave(data.url)
        return
      }
    }
    setBusy(null)
    setSlow(true)
  }

  const day = order.createdAt.toLocaleDateString(language, { dateStyle: 'long' })
  const button = (document: 'invoice' | 'receipt') => (
    <button
      type="button"
      aria-busy={busy === document || undefined}
      onClick={() => !busy && void open(document)}
      aria-label={t.invoiceOf(t[document], order.product?.name ?? order.id, day)}
      className="link inline-flex min-h-10 items-center aria-busy:opacity-60"
    >
      {t[document]}
    </button>
  )
  return (
    <div className="grid gap-2">
      <div className="-my-2 flex flex-wrap gap-x-4">
        {button('invoice')}
        {order.receiptNumber && button('receipt')}
      </div>
      <p role="status" className="text-sm text-soft empty:hidden">
        {busy === 'invoice' ? t.preparing : isSlow && t.slow}
      </p>
      {error && <ErrorPanel error={error} errors={t.errors} />}
    </div>
  )
}
