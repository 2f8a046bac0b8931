import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../lib/texts/texts.ts'
import { Note } from '../../ui/state.tsx'
import { askAgain, useOrders } from './billing-data.ts'
import { billingTexts } from './texts.ts'

const pause = 2000
const patience = 60_000

/** Back from the checkout: what was bought is there once its payment is confirmed, and the person is told so. */
export function Returned({ checkoutId }: { checkoutId: string }) {
  const t = useTexts(billingTexts)
  const [tired, setTired] = useState(false)
  const confirmed = useRef(false)
  const orders = useOrders(confirmed.current || tired ? false : pause)
  confirmed.current = orders.data?.some((order) => order.checkoutId === checkoutId) ?? false
  useEffect(() => {
    const timer = setTimeout(() => setTired(true), patience)
    return () => clearTimeout(timer)
  }, [])
  const done = confirmed.current
  useEffect(() => {
    if (done) void askAgain()
  }, [done])
  return (
    <Note tone={done ? 'success' : 'accent'} live>
      {done ? t.bought : tired ? t.waitingLong : t.waiting}
    </Note>
  )
}
