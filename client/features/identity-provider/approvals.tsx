import { useState } from 'react'
import { countdownInWords } from '../../../worker/kit/time.ts'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useSecondsUntil } from '../../lib/clock.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { useNotMine } from '../../ui/own-session.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorPanel, Loaded, Note } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { usePlace } from '../session/labels.ts'
import { type Approval, ApprovalTable } from './approval-table.tsx'
import { approvalTexts } from './approvals.texts.ts'
import { ScopeList } from './scope-list.tsx'
import { identityProviderTexts } from './texts.ts'

const refresh = () => refreshQueries('approvals')

export default function Approvals() {
  const t = useTexts(approvalTexts)
  const why = useNotMine()
  const approvals = useQuery(['approvals'], () => auth.approvals.list({}), !why)
  return (
    <Page wide title={t.title} intro={t.intro}>
      {why ? (
        <EmptyState>{why}</EmptyState>
      ) : (
        <Loaded of={approvals} empty={<EmptyState>{t.none}</EmptyState>}>
          {(list) => <Requests list={list} />}
        </Loaded>
      )}
    </Page>
  )
}

function Requests({ list }: { list: Approval[] }) {
  const t = useTexts(approvalTexts)
  const waiting = list.filter(({ state }) => state === 'pending')
  const earlier = list.filter(({ state }) => state !== 'pending')
  return (
    <>
      {waiting.map((approval) => (
        <Waiting key={approval.id} {...approval} />
      ))}
      {earlier.length > 0 && (
        <Section id="earlier" title={t.earlier}>
          <ApprovalTable list={earlier} named />
        </Section>
      )}
    </>
  )
}

/** A request with its buttons. The server requires a recent authentication for an approval. */
function Waiting(approval: Approval) {
  const { id, client, scopes, scopeWords, authorizationDetails, resource, bindingMessage, origin, expiresAt } = approval
  const t = useTexts(approvalTexts)
  const provider = useTexts(identityProviderTexts)
  const language = useLanguage()
  const left = useSecondsUntil(expiresAt.getTime())
  const city = usePlace(origin.place)
  const place = city && origin.ipAddress ? `${city} (${origin.ipAddress})` : city || origin.ipAddress
  // The list without this request comes later.
  const [answered, setAnswered] = useState(false)
  const answer = useAction(
    (accept: boolean) => (accept ? auth.approvals.approve({ id }) : auth.approvals.deny({ id })),
    (_answer, accept) => {
      setAnswered(true)
      toast(accept ? t.approved(client.name) : t.denied(client.name))
      refresh()
    },
  )
  return (
    <Section title={t.asks(client.name)}>
      <div className="grid gap-4">
        {bindingMessage && (
          <p className="wrap-anywhere">
            <strong className="font-medium">{t.message(bindingMessage)}</strong> {t.compare}
          </p>
        )}
        <section className="grid gap-3">
          <h3 className="font-medium">{provider.wants}</h3>
          <ScopeList scopes={scopes} words={scopeWords} details={authorizationDetails} />
          {resource && (
            <p className="text-soft wrap-anywhere">{provider.forResource(resource.replaceAll(' ', ', '))}</p>
          )}
        </section>
        <Note tone="warning">
          <p>{t.expected}</p>
          {place && <p>{t.from(place)}</p>}
        </Note>
        <p className="text-soft tabular-nums">
          {left > 0 ? t.left(countdownInWords(left, language)) : t.states.expired}
        </p>
        {answer.error && <ErrorPanel error={answer.error} errors={provider.errors} />}
        <div className="flex flex-wrap gap-3">
          <Button busy={answer.busy} disabled={answered || left === 0} onClick={() => answer.run(false)}>
            {t.deny}
          </Button>
          <Button look="primary" busy={answer.busy} disabled={answered || left === 0} onClick={() => answer.run(true)}>
            {t.approve}
          </Button>
        </div>
      </div>
    </Section>
  )
}
