import { AppError, catalogue, codeOf, type ErrorKind } from '../../kit/errors.ts'

export const billingErrors = catalogue({
  YOU_MUST_BE_LOGGED_IN_TO_CHECKOUT: [401, 'You must be logged in to checkout'],
  PRODUCT_NOT_FOUND: [400, 'Product not found'],
  /** The reference is neither the caller nor an organization that the caller manages. */
  REFERENCE_NOT_ALLOWED: [403, 'You are not allowed to act for this reference'],
  CHECKOUT_CREATION_FAILED: [500, 'Checkout creation failed'],
  CUSTOMER_PORTAL_CREATION_FAILED: [500, 'Customer portal creation failed'],
  /** Of customer/state. */
  SUBSCRIPTIONS_LIST_FAILED: [500, 'Subscriptions list failed'],
  POLAR_SUBSCRIPTIONS_LIST_FAILED: [500, 'Polar subscriptions list failed'],
  SUBSCRIPTIONS_LIST_WITH_REFERENCEID_FAILED: [500, 'Subscriptions list with referenceId failed'],
  BENEFITS_LIST_FAILED: [500, 'Benefits list failed'],
  ORDERS_LIST_FAILED: [500, 'Orders list failed'],
  METERS_LIST_FAILED: [500, 'Meters list failed'],
  ORDER_NOT_FOUND: [404, 'Order not found'],
  /** The order is not paid yet, or the provider makes no such document for it. */
  ORDER_HAS_NO_INVOICE: [409, 'The order has no such document'],
  /** The provider requires a name and an address for an invoice. */
  BILLING_DETAILS_MISSING: [422, 'Name or address for the invoice is missing'],
  INVOICE_FAILED: [500, 'The document could not be loaded'],
  NEGATIVE_USAGE: [400, 'Usage cannot be negative'],
  INGESTION_FAILED: [500, 'Ingestion failed'],
  POLAR_CUSTOMER_CREATION_FAILED: [500, 'Polar customer creation failed'],
  WEBHOOK_BODY_MISSING: [500, 'Webhook body is missing'],
  WEBHOOK_SECRET_NOT_FOUND: [500, 'webhook secret not found'],
  WEBHOOK_ERROR_SEE_SERVER_LOGS_FOR_MORE_INFORMATION: [400, 'Webhook error: See server logs for more information.'],
})

/** Message and code contain the reason. */
export const badWebhook = {
  status: 400,
  code: 'WEBHOOK_ERROR_*',
  message: 'Webhook Error: *',
} as const satisfies ErrorKind

/** 400 `Webhook Error: <reason>`. */
export function webhookError(reason: string): AppError {
  const message = `Webhook Error: ${reason}`
  return new AppError(400, codeOf(message), message)
}

/** The error of a sign-up whose customer could not be created: 500 with the cause. */
export function customerCreationFailed(cause: string): AppError {
  const { code, message } = billingErrors.POLAR_CUSTOMER_CREATION_FAILED
  return new AppError(500, code, `${message}. Error: ${cause}`)
}
