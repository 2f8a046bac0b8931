import { notifyAdministrators } from '../../../identity/notify-administrators.ts'
import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { newId } from '../../../kit/random.ts'
import { after, days } from '../../../kit/time.ts'
import { attackMail } from './attack-mails.ts'
import * as store from './threats.store.ts'

/** Webhooks of a day about attacks. */
const maxAnnounced = 20

/**
 * Records an attack that this isolate has seen for the first time. A new one is announced to webhooks, and to administrators
 * by mail once a day. @param key `network:198.51.100.0/24`, `password:` and a part of its HMAC
 */
export async function recordAttack(scope: Scope, key: string, end: Date): Promise<void> {
  const now = scope.now()
  const dayBefore = after(now, -days(1))
  const [of = '', ...rest] = key.split(':')
  const isOfNetwork = of === 'network'
  const { network: facts, place } = scope.request
  const attack: store.Attack = {
    id: newId(),
    key,
    kind: isOfNetwork ? 'network' : 'password',
    network: isOfNetwork ? rest.join(':') : null,
    asn: isOfNetwork ? facts.asn : null,
    country: isOfNetwork ? place.country : null,
    startedAt: now,
    until: end,
  }
  const work = unitOfWork(scope)
  // An observation, not an effect of a request.
  work.audit(null)
  work.run(store.recordAttack(scope.db, attack, dayBefore))
  work.announce('attack.began', () => store.announcedAttack(attack, dayBefore, maxAnnounced))
  await notifyAdministrators(scope, work, 'attack', (one) => attackMail(scope, one, attack.network))
  await work.commit()
}
