import { useState } from 'react'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { formClass } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Note } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Current, useRules } from '../organization/current.tsx'
import { type Policy, useManager } from './manager.ts'
import { ssoTexts } from './texts.ts'

const kinds = ['password', 'email', 'phone', 'passkey', 'provider'] as const
const modes = ['all', 'some', 'none'] as const
type Mode = (typeof modes)[number]

const modeOf = ({ allowedMethods }: Policy): Mode =>
  allowedMethods === null ? 'all' : allowedMethods.length > 0 ? 'some' : 'none'

/** The rules for sign-ins with addresses of the verified domains. */
export function Rules({ policy, current }: { policy: Policy; current: Current }) {
  const t = useTexts(ssoTexts)
  const { mayChange, domains } = useManager()
  const applies = domains.some(({ verified }) => verified)
  return (
    <Section id="rules" title={t.rules} intro={t.rulesIntro}>
      {!applies && (
        <Note>
          <div className="grid justify-items-start gap-3">
            <p>{t.rulesNeedDomain}</p>
            {mayChange && <ButtonLink to="/organization/settings/single-sign-on#add-domain">{t.addDomain}</ButtonLink>}
          </div>
        </Note>
      )}
      <fieldset disabled={!mayChange || !applies} className="contents">
        <RulesForm key={JSON.stringify(policy)} policy={policy} current={current} />
      </fieldset>
    </Section>
  )
}

function RulesForm({ policy, current: { organization } }: { policy: Policy; current: Current }) {
  const t = useTexts(ssoTexts)
  const { refresh, mayChange } = useManager()
  const { creatorRole } = useRules()
  const [mode, setMode] = useState(() => modeOf(policy))
  const owners = organization.members.filter(({ role }) => splitRoles(role).includes(creatorRole))
  const fieldOf = (kind: string) => `allow ${kind}`
  const ownerField = (id: string) => `owner ${id}`
  const fields = [
    'secondFactor',
    'unknownDevices',
    'joins',
    ...kinds.map(fieldOf),
    ...owners.map(({ id }) => ownerField(id)),
  ]
  const form = useForm({
    fields,
    guard: true,
    send: (values) =>
      auth.sso.updatePolicy({
        organizationId: organization.id,
        allowedMethods:
          mode === 'all' ? null : mode === 'none' ? [] : kinds.filter((kind) => values[fieldOf(kind)] === 'on'),
        requiresSecondFactor: values.secondFactor === 'on',
        joinsAutomatically: values.joins === 'on',
        challengesUnknownDevices: values.unknownDevices === 'on',
        breakGlass: owners.filter(({ id }) => values[ownerField(id)] === 'on').map(({ id }) => id),
      }),
    errors: t.errors,
    done() {
      toast(t.rulesSaved)
      refresh()
    },
  })
  const labels = { all: t.allowAll, some: t.allowSome, none: t.allowNone }
  return (
    <form {...form.props} className={formClass}>
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 font-medium">{t.allowed}</legend>
        {modes.map((one) => (
          <label key={one} className="flex items-start gap-2.5">
            <input
              type="radio"
              name="mode"
              value={one}
              checked={mode === one}
              onChange={() => setMode(one)}
              className="mt-0.5 size-5 flex-none"
            />
            {labels[one]}
          </label>
        ))}
        {mode === 'some' && (
          <div className="grid gap-2.5 ps-7">
            {kinds.map((kind) => (
              <Checkbox
                key={kind}
                name={fieldOf(kind)}
                label={t.methods[kind]}
                defaultChecked={policy.allowedMethods?.includes(kind) ?? false}
              />
            ))}
          </div>
        )}
      </fieldset>
      <Checkbox
        name="secondFactor"
        label={t.secondFactor}
        hint={t.secondFactorHint}
        defaultChecked={policy.secondFactorSince !== null}
      />
      <Checkbox
        name="unknownDevices"
        label={t.unknownDevices}
        hint={t.unknownDevicesHint}
        defaultChecked={policy.challengesUnknownDevices}
      />
      <Checkbox name="joins" label={t.joins} defaultChecked={policy.joinsAutomatically} />
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 font-medium">{t.breakGlass}</legend>
        <p className="text-soft">{t.breakGlassHint}</p>
        {owners.map(({ id, user }) => (
          <Checkbox
            key={id}
            name={ownerField(id)}
            label={<span className="wrap-anywhere">{user.name ? `${user.name} (${user.email})` : user.email}</span>}
            defaultChecked={policy.breakGlass.includes(id)}
          />
        ))}
      </fieldset>
      {mayChange && (
        <Submit form={form} look="secondary">
          {t.saveRules}
        </Submit>
      )}
    </form>
  )
}
