import type { Caller, Scope } from '../../identity/scope.ts'
import type { AppErrorKind } from '../../kit/errors.ts'
import { billingErrors as errors } from './billing.errors.ts'
import { portalToken } from './customer/portal.ts'
import { askProvider, ProviderFailure } from './provider/ask-provider.ts'
import { anything, documentAnswer, orderAnswer } from './provider/provider-answers.ts'

export interface OrderDocumentRequest {
  orderId: string
  document: 'invoice' | 'receipt'
}

/** The errors of the provider that the user can do something about, by status. */
const refusals: Record<number, AppErrorKind> = {
  404: errors.ORDER_NOT_FOUND,
  409: errors.ORDER_HAS_NO_INVOICE,
  422: errors.BILLING_DETAILS_MISSING,
}

/**
 * The address of an order's invoice or receipt at the provider. The provider makes an invoice when it is requested for the
 * first time: until then the address is null, and the caller asks again.
 */
export async function orderDocument(
  scope: Scope,
  caller: Caller,
  { orderId, document }: OrderDocumentRequest,
): Promise<{ url: string | null }> {
  try {
    const accessToken = await portalToken(scope, caller)
    if (!accessToken) throw errors.ORDER_NOT_FOUND()
    const as = { accessToken }
    const order = await askProvider(scope, orderAnswer, ({ customerPortal }) => customerPortal.orders.get(orderId, as))
    if (document === 'receipt') {
      if (!order.receipt_number) throw errors.ORDER_HAS_NO_INVOICE()
      return await askProvider(scope, documentAnswer, ({ customerPortal }) =>
        customerPortal.orders.receipt(orderId, as),
      )
    }
    if (order.is_invoice_generated) {
      return await askProvider(scope, documentAnswer, ({ customerPortal }) =>
        customerPortal.orders.invoice(orderId, as),
      )
    }
    await askProvider(scope, anything, ({ customerPortal }) => customerPortal.orders.generateInvoice(orderId, as))
    return { url: null }
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure)) throw thrown
    const refusal = refusals[thrown.status ?? 0] ?? errors.INVOICE_FAILED
    throw refusal({ detail: thrown.message })
  }
}
