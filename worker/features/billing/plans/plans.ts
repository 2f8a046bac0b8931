import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { ms } from '../../../kit/time.ts'
import type { Statement } from '../../../platform/statements.ts'
import { billingOptions } from '../billing.config.ts'
import type { WebhookEvent } from '../events/events.ts'
import { askProvider, ProviderFailure } from '../provider/ask-provider.ts'
import * as store from './plans.store.ts'
import type { StoredProduct } from './plans.table.ts'
import { changedAt, type Product, productAnswer, productsAnswer, shownProduct } from './product.ts'

/** A configured product with what the provider says about it. Texts of the configuration come first. */
export interface Plan extends Omit<Product, 'name'> {
  slug: string
  productId: string
  name: string
  recommended: boolean
}

/** Without an answer of the provider, a plan is its configuration, without prices. */
const unknown: Omit<Product, 'name'> = {
  description: null,
  interval: null,
  intervalCount: 1,
  trial: null,
  isArchived: false,
  prices: [],
  benefits: [],
}

const configuredIds = (scope: Scope) => billingOptions.of(scope).products.map(({ productId }) => productId)

/**
 * The plans: stored products that are recent enough, otherwise those of the provider. When the provider fails, the stored
 * ones with the time `asOf`.
 */
export async function listPlans(scope: Scope, stored: StoredProduct[]): Promise<{ plans: Plan[]; asOf?: Date }> {
  const oldest = new Date(scope.now().getTime() - ms(billingOptions.of(scope).productsLifetime))
  const ids = configuredIds(scope)
  const own = stored.filter(({ id }) => ids.includes(id))
  if (ids.every((id) => own.some((row) => row.id === id && row.readAt > oldest))) return { plans: plansOf(scope, own) }
  try {
    return { plans: plansOf(scope, await readProducts(scope, ids)) }
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure)) throw thrown
    scope.log('warn', 'billing-products-unavailable', { reason: thrown.message })
    const known = own.filter(({ data }) => data !== null)
    const asOf = new Date(Math.min(...known.map((row) => Math.max(row.readAt.getTime(), row.asOf.getTime()))))
    return { plans: plansOf(scope, own), ...(known.length > 0 && { asOf }) }
  }
}

/** Reads the products from the provider and stores them after the response. @throws ProviderFailure */
async function readProducts(scope: Scope, ids: string[]): Promise<StoredProduct[]> {
  const asked = ids.slice(0, store.maxProducts)
  // The answer contains every change before this time, and perhaps a later one, whose event is accepted again.
  const readAt = scope.now()
  const { items } = await askProvider(scope, productsAnswer, ({ products }) =>
    products.list({ id: asked, limit: store.maxProducts }),
  )
  const rows = asked.map((id): StoredProduct => {
    const found = items.find((item) => item.id === id)
    return { id, data: found ? shownProduct(found) : null, asOf: readAt, readAt }
  })
  scope.after(async () => {
    const work = unitOfWork(scope)
    // A copy of the products of the provider.
    work.audit(null)
    work.run([store.deleteOtherProducts(scope.db, asked), ...rows.map((row) => store.upsertProduct(scope.db, row))])
    await work.commit()
  })
  return rows
}

const plansOf = (scope: Scope, rows: readonly StoredProduct[]): Plan[] =>
  billingOptions.of(scope).products.map(({ productId, slug, name, description, recommended }) => {
    const product = rows.find(({ id }) => id === productId)?.data
    return {
      ...(product ?? unknown),
      ...{ slug, productId, recommended: recommended ?? false },
      name: name ?? product?.name ?? slug,
      description: description ?? product?.description ?? null,
    }
  })

/** What an event changes in the stored products. A changed benefit may belong to any product. */
export function productStatements(scope: Scope, event: WebhookEvent): Statement[] {
  if (event.type === 'benefit.updated') return [store.outdateProducts(scope.db)]
  if (event.type !== 'product.created' && event.type !== 'product.updated') return []
  const { success, data: product } = productAnswer.safeParse(event.data)
  if (!success || !configuredIds(scope).includes(product.id)) return []
  const row = { id: product.id, data: shownProduct(product), asOf: changedAt(product), readAt: scope.now() }
  return [store.upsertProduct(scope.db, row)]
}
