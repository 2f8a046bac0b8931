import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { SelectField } from '../../ui/field.tsx'
import { ErrorPanel, Note } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ConnectionForm } from './connection-form.tsx'
import { type Connection, isComplete, useManager, valuesOf } from './manager.ts'
import { OwnKeys } from './own-keys.tsx'
import { Copyable, Part } from './parts.tsx'
import { identityProviders, otherProvider, providerOf } from './providers.ts'
import { TestResult } from './test-result.tsx'
import { ssoTexts } from './texts.ts'

/** The steps of a connection, from the console of the identity provider to the activation. */
export function ConnectionSteps({ connection }: { connection: Connection }) {
  const t = useTexts(ssoTexts)
  const { update, refresh, mayChange, organizationId } = useManager()
  const discard = useAction(
    () => update({ connectionId: connection.id, discardsDraft: true }),
    () => {
      toast(t.discarded)
      refresh()
    },
  )
  return (
    <>
      {connection.draft && (
        <Note tone="warning">
          <div className="grid justify-items-start gap-3">
            <p>{t.draftNote}</p>
            {mayChange && (
              <Button busy={discard.busy} onClick={discard.run}>
                {t.discard}
              </Button>
            )}
            {discard.error && <ErrorPanel error={discard.error} errors={t.errors} />}
          </div>
        </Note>
      )}
      <AtProvider connection={connection} />
      {mayChange && (
        <>
          <Part title={t.stepValues}>
            <ConnectionForm key={`${connection.id} ${connection.updatedAt.getTime()}`} connection={connection} />
          </Part>
          <Test connection={connection} />
          <Activation connection={connection} />
          {connection.type === 'saml' && organizationId !== null && (
            <OwnKeys connection={connection} organizationId={organizationId} />
          )}
        </>
      )}
    </>
  )
}

function AtProvider({ connection }: { connection: Connection }) {
  const t = useTexts(ssoTexts)
  const [chosen, setChosen] = useState(() => providerOf(connection).id)
  const { type, serviceProvider } = connection
  const known = identityProviders.filter((provider) => provider[type])
  const { [type]: guide = otherProvider[type]! } = known.find(({ id }) => id === chosen) ?? otherProvider
  const values = valuesOf(connection)
  const fields = Object.entries(guide.fields).flatMap(([value, label]) => {
    const text = serviceProvider[value]
    return text && label ? [{ label, text }] : []
  })
  return (
    <Part title={t.stepProvider}>
      <div className="grid max-w-md">
        <SelectField label={t.provider} value={chosen} onChange={(event) => setChosen(event.target.value)}>
          {known.map(({ id, name }) => (
            <option key={id} value={id}>
              {name || t.otherProvider}
            </option>
          ))}
        </SelectField>
      </div>
      <ol className="grid list-decimal gap-4 ps-5 marker:text-soft">
        <li>{guide.place ? t.openConsole(guide.place, guide.kind) : t.createApplication(guide.kind)}</li>
        <li>
          <div className="grid grid-cols-1 gap-3">
            <p>{t.enterValues}</p>
            {fields.map((field) => (
              <Copyable key={field.label} {...field} />
            ))}
            {values.type === 'oidc' && values.publicKey && (
              <Copyable label={t.publicKey} text={JSON.stringify(values.publicKey)} />
            )}
          </div>
        </li>
        {type === 'saml' && <li>{t.sendAddress}</li>}
        <li>{t.assign}</li>
        <li className="wrap-anywhere">{t.copyBack(guide.back.join(', '))}</li>
      </ol>
    </Part>
  )
}

function Test({ connection }: { connection: Connection }) {
  const t = useTexts(ssoTexts)
  const { test } = useManager()
  const start = useAction(() => test(connection.id))
  const ready = isComplete(connection)
  return (
    <Part title={t.stepTest} intro={t.testIntro}>
      {connection.lastTest && <TestResult result={connection.lastTest} />}
      {start.error && <ErrorPanel error={start.error} errors={t.errors} />}
      <div>
        <Button
          look={ready && connection.lastTest?.error !== null ? 'primary' : 'secondary'}
          busy={start.busy}
          disabled={!ready}
          onClick={start.run}
        >
          {t.test}
        </Button>
      </div>
    </Part>
  )
}

function Activation({ connection }: { connection: Connection }) {
  const t = useTexts(ssoTexts)
  const { update, refresh, domains, organizationId } = useManager()
  const { id, state, draft, lastTest } = connection
  const tested = lastTest?.error === null
  const waits = state !== 'active' || draft !== null
  const activate = useAction(
    () => update({ connectionId: id, state: 'active' }),
    () => {
      toast(t.activated)
      refresh()
    },
  )
  return (
    <Part title={t.stepActivate} intro={t.activateIntro}>
      {state === 'active' && !draft && <Note tone="success">{t.isActive}</Note>}
      {!domains.some(({ verified }) => verified) && <Note tone="warning">{t.domainFirst}</Note>}
      {waits && !tested && <p className="text-soft">{t.testFirst}</p>}
      {activate.error && <ErrorPanel error={activate.error} errors={t.errors} />}
      <div className="flex flex-wrap gap-3">
        {waits && (
          <Button
            look={tested ? 'primary' : 'secondary'}
            disabled={!tested}
            busy={activate.busy}
            onClick={activate.run}
          >
            {draft ? t.activateChanges : t.activate}
          </Button>
        )}
        {organizationId !== null && <Endings connection={connection} organizationId={organizationId} />}
      </div>
    </Part>
  )
}

/** For members: disable and delete. */
function Endings({ connection, organizationId }: { connection: Connection; organizationId: string }) {
  const t = useTexts(ssoTexts)
  const { refresh, pathOf } = useManager()
  const [, navigate] = useLocation()
  const { id: connectionId, name, state } = connection
  return (
    <>
      {state === 'active' && (
        <ConfirmDestroy
          title={t.disableQuestion(name)}
          action={t.disable}
          look="secondary"
          errors={t.errors}
          send={() => auth.sso.updateConnection({ organizationId, connectionId, state: 'disabled' })}
          done={() => {
            toast(t.disabled)
            refresh()
          }}
        >
          {t.disableWhat}
        </ConfirmDestroy>
      )}
      <ConfirmDestroy
        title={t.deleteQuestion(name)}
        action={t.delete}
        errors={t.errors}
        send={() => auth.sso.deleteConnection({ organizationId, connectionId })}
        done={() => {
          toast(t.deleted)
          refresh()
          navigate(pathOf(null))
        }}
      >
        {t.deleteWhat}
      </ConfirmDestroy>
    </>
  )
}
