import type { models } from '@polar-sh/sdk/2026-10'
import type { Caller, Scope } from '../../identity/scope.ts'
import { billingOptions } from './billing.config.ts'
import { billingErrors as errors } from './billing.errors.ts'
import { askProvider, ProviderFailure } from './provider/ask-provider.ts'
import { checkoutAnswer } from './provider/provider-answers.ts'
import { requireReference } from './reference.ts'

type Values = Record<string, string | number | boolean>

export interface Order {
  products?: string | string[] | undefined
  slug?: string | undefined
  referenceId?: string | undefined
  customFieldData?: Values | undefined
  currency?: string | undefined
  metadata?: Values | undefined
}

/** Creates a checkout at the provider: for the caller's customer with a session; a visitor becomes a customer there. */
export async function createCheckout(scope: Scope, order: Order): Promise<{ url: string; redirect: true }> {
  const { authenticatedUsersOnly, successUrl } = billingOptions.of(scope)
  const caller = await scope.caller()
  if (!caller && (authenticatedUsersOnly || order.referenceId !== undefined)) {
    throw errors.YOU_MUST_BE_LOGGED_IN_TO_CHECKOUT()
  }
  const products = productsOf(scope, order)
  const metadata = await metadataOf(scope, caller, order)
  try {
    const { url } = await askProvider(scope, checkoutAnswer, ({ checkouts }) =>
      checkouts.create({
        products,
        ...(caller && { external_customer_id: caller.user.id }),
        // Relative to BASE_URL, not to the host of the request.
        ...(successUrl && { success_url: new URL(successUrl, scope.settings.baseUrl).href }),
        ...(metadata && { metadata }),
        ...(order.currency && { currency: order.currency as models.PresentmentCurrency }),
        ...(order.customFieldData && { custom_field_data: order.customFieldData }),
      }),
    )
    return { url, redirect: true }
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) throw errors.CHECKOUT_CREATION_FAILED({ detail: thrown.message })
    throw thrown
  }
}

/** The ids of the products. @throws PRODUCT_NOT_FOUND for a slug that is not configured */
function productsOf(scope: Scope, { slug, products = [] }: Order): string[] {
  if (slug === undefined) return [products].flat()
  const product = billingOptions.of(scope).products.find((configured) => configured.slug === slug)
  if (!product) throw errors.PRODUCT_NOT_FOUND()
  return [product.productId]
}

/** Only an allowed reference becomes part of the metadata. @throws REFERENCE_NOT_ALLOWED */
async function metadataOf(
  scope: Scope,
  caller: Caller | null,
  { metadata, referenceId }: Order,
): Promise<Values | undefined> {
  const { referenceId: _, ...own } = metadata ?? {}
  if (caller && referenceId !== undefined) {
    await requireReference(scope, caller, referenceId)
    return { ...own, referenceId }
  }
  return metadata && own
}
