import { type ReactNode, useState } from 'react'
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
import { Copyable, Part, Step, StepList } from './parts.tsx'
import { chosenProvider, identityProviders, otherProvider, rememberProvider } from './providers.ts'
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
      {mayChange ? (
        <Walk key={connection.id} connection={connection} />
      ) : (
        <Part title={t.stepProvider}>
          <AtProvider connection={connection} />
        </Part>
      )}
      {mayChange && connection.type === 'saml' && organizationId !== null && (
        <OwnKeys connection={connection} organizationId={organizationId} />
      )}
    </>
  )
}

const steps = ['provider', 'values', 'test', 'activate'] as const
type StepName = (typeof steps)[number]

/** The first step that is not done; null while the connection is in use. */
function openStep({ state, draft, lastTest, ...connection }: Connection): StepName | null {
  if (state === 'active' && !draft) return null
  if (lastTest) return 'test'
  return isComplete({ state, draft, lastTest, ...connection }) ? 'test' : 'provider'
}

/** One step at a time: the others are headings, which open those that are possible. */
function Walk({ connection }: { connection: Connection }) {
  const t = useTexts(ssoTexts)
  const [open, setOpen] = useState(() => openStep(connection))
  const { state, draft, lastTest } = connection
  const tested = lastTest?.error === null
  const isInUse = state === 'active' && !draft
  const done = { provider: isComplete(connection), values: isComplete(connection), test: tested, activate: isInUse }
  const possible = { provider: true, values: true, test: done.values, activate: done.values }
  const titles = { provider: t.stepProvider, values: t.stepValues, test: t.stepTest, activate: t.stepActivate }
  const goesOn = tested && !isInUse
  const go = (name: StepName) => () => setOpen(name)
  /** What leads on and back, at the end of a step. A form that has something to save leads on itself. */
  const ways = (name: StepName) => {
    const at = steps.indexOf(name)
    const [previous, next] = [steps[at - 1], steps[at + 1]]
    return (
      <>
        {next && (name === 'provider' || (name === 'test' && goesOn)) && (
          <Button look="primary" onClick={go(next)}>
            {t.nextStep}
          </Button>
        )}
        {previous && (
          <Button look={name === 'activate' && !tested && !isInUse ? 'primary' : 'quiet'} onClick={go(previous)}>
            {t.previousStep}
          </Button>
        )}
      </>
    )
  }
  const content = {
    provider: <AtProvider connection={connection} ways={ways('provider')} />,
    values: (
      <ConnectionForm
        key={`${connection.id} ${connection.updatedAt.getTime()}`}
        connection={connection}
        onSaved={go('test')}
        ways={ways('values')}
      />
    ),
    test: <Test connection={connection} goesOn={goesOn} ways={ways('test')} />,
    activate: <Activation connection={connection} ways={ways('activate')} />,
  }
  return (
    <StepList>
      {steps.map((name) => (
        <Step
          key={name}
          title={titles[name]}
          done={done[name] && t.stepDone}
          open={open === name}
          disabled={!possible[name]}
          onToggle={() => setOpen(open === name ? null : name)}
        >
          {content[name]}
        </Step>
      ))}
    </StepList>
  )
}

interface StepProps {
  connection: Connection
  ways: ReactNode
}

function AtProvider({ connection, ways = null }: { connection: Connection; ways?: ReactNode }) {
  const t = useTexts(ssoTexts)
  const [chosen, setChosen] = useState(() => chosenProvider(connection))
  const { type, serviceProvider } = connection
  const known = identityProviders.filter((provider) => provider[type])
  const { [type]: guide = otherProvider[type]! } = known.find(({ id }) => id === chosen) ?? otherProvider
  const values = valuesOf(connection)
  const fields = Object.entries(guide.fields).flatMap(([value, label]) => {
    const text = serviceProvider[value]
    return text && label ? [{ label, text }] : []
  })
  return (
    <>
      <div className="grid max-w-md">
        <SelectField
          label={t.provider}
          value={chosen}
          onChange={({ target }) => {
            setChosen(target.value)
            rememberProvider(connection.id, target.value)
          }}
        >
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
      {ways && <div>{ways}</div>}
    </>
  )
}

function Test({ connection, goesOn, ways }: StepProps & { goesOn: boolean }) {
  const t = useTexts(ssoTexts)
  const { test } = useManager()
  const start = useAction(() => test(connection.id))
  const ready = isComplete(connection)
  return (
    <>
      <p className="max-w-prose text-soft">{t.testIntro}</p>
      {connection.lastTest && <TestResult result={connection.lastTest} />}
      {start.error && <ErrorPanel error={start.error} errors={t.errors} />}
      <div className="flex flex-wrap gap-3">
        <Button look={goesOn ? 'secondary' : 'primary'} busy={start.busy} disabled={!ready} onClick={start.run}>
          {t.test}
        </Button>
        {ways}
      </div>
    </>
  )
}

function Activation({ connection, ways }: StepProps) {
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
    <>
      <p className="max-w-prose text-soft">{t.activateIntro}</p>
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
        {ways}
        {organizationId !== null && <Endings connection={connection} organizationId={organizationId} />}
      </div>
    </>
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
