import { Gauge, Gift, ReceiptText, RefreshCw, Tags } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/billing', {
    plans: { label: 'Choose or change a plan', words: 'plan, price, upgrade, subscribe, subscription' },
    subscriptions: { label: 'Subscriptions', words: 'subscription, cancel, renew, billing' },
    orders: { label: 'Orders and invoices', words: 'orders, invoice, receipt, payment' },
    benefits: { label: 'Benefits', words: 'benefits, included, licence' },
    usage: { label: 'Usage', words: 'usage, meter, consumption, limit' },
  }),
  {
    plans: { icon: Tags, to: '/account/billing#plans', on: 'billing' },
    subscriptions: { icon: RefreshCw, to: '/account/billing#subscriptions', on: 'billing' },
    orders: { icon: ReceiptText, to: '/account/billing#orders', on: 'billing' },
    benefits: { icon: Gift, to: '/account/billing#benefits', on: 'billing' },
    usage: { icon: Gauge, to: '/account/billing#usage', on: 'billing' },
  },
)
