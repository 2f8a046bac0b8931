import { useState } from 'react'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Checkbox, Field, SelectField } from '../../ui/field.tsx'
import { formClass } from '../../ui/page.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Current, useRoleNames, useRules } from '../organization/current.tsx'
import { type Keyed, KeyedRows } from './keyed-rows.tsx'
import { type Connection, type Mapping, type Names, useManager } from './manager.ts'
import { Part } from './parts.tsx'
import { RequiredClaims, requiredOf, toRequired } from './required-claims.tsx'
import { ssoTexts } from './texts.ts'

interface MappingProps {
  connection: Connection
  /** For members: what follows from groups. */
  current?: Current
}

/** The names of attributes, and for members the roles and teams of groups. */
export function MappingPart({ connection, current }: MappingProps) {
  const t = useTexts(ssoTexts)
  const form = (
    <MappingForm
      key={`${connection.id} ${connection.updatedAt.getTime()}`}
      connection={connection}
      {...(current ? { current } : {})}
    />
  )
  if (current) {
    return (
      <Part title={t.mapping} intro={t.mappingIntro}>
        {form}
      </Part>
    )
  }
  // Few identity providers need it: beside the steps it would be a second form.
  return (
    <details>
      <summary className="min-h-10 py-2 font-semibold">{t.mapping}</summary>
      <div className="grid grid-cols-1 gap-5 pt-3">
        <p className="text-pretty text-soft">{t.mappingIntro}</p>
        {form}
      </div>
    </details>
  )
}

/** A rule of a group; the target is `role:<name>` or `team:<id>`. */
interface Rule extends Keyed {
  group: string
  target: string
}

const rulesOf = ({ roles = [], teams = [] }: Partial<Mapping>): Rule[] =>
  [
    ...roles.map(({ group, role }) => ({ group, target: `role:${role}` })),
    ...teams.map(({ group, teamId }) => ({ group, target: `team:${teamId}` })),
  ].map((rule, key) => ({ key, ...rule }))

function MappingForm({ connection, current }: MappingProps) {
  const t = useTexts(ssoTexts)
  const { update, refresh } = useManager()
  const mapping = connection.mapping as unknown as Mapping
  const [rules, setRules] = useState(() => rulesOf(mapping))
  const [required, setRequired] = useState(() => requiredOf(mapping))
  const form = useForm({
    fields: ['email', 'name', 'groups', 'createsMembers', 'defaultRole'],
    guard: true,
    send: (values) => {
      const names: Names = {
        email: values.email.trim() || null,
        name: values.name.trim() || null,
        groups: values.groups.trim() || null,
      }
      if (!current) return update({ connectionId: connection.id, mapping: names })
      const given = rules.filter(({ group, target }) => group.trim() && target)
      const of = (kind: 'role:' | 'team:') =>
        given.flatMap(({ group, target }) =>
          target.startsWith(kind) ? [{ group: group.trim(), value: target.slice(kind.length) }] : [],
        )
      return auth.sso.updateConnection({
        organizationId: current.organization.id,
        connectionId: connection.id,
        mapping: {
          ...names,
          required: toRequired(required),
          createsMembers: values.createsMembers === 'on',
          defaultRole: values.defaultRole || mapping.defaultRole,
          roles: of('role:').map(({ group, value }) => ({ group, role: value })),
          teams: of('team:').map(({ group, value }) => ({ group, teamId: value })),
        },
      })
    },
    errors: t.errors,
    done() {
      toast(t.mappingSaved)
      refresh()
    },
  })
  return (
    <form {...form.props} className={formClass}>
      {(['email', 'name', 'groups'] as const).map((name) => (
        <Field
          key={name}
          {...form.field(name)}
          label={{ email: t.emailAttribute, name: t.nameAttribute, groups: t.groupsAttribute }[name]}
          optional
          dir="ltr"
          autoComplete="off"
          maxLength={256}
          defaultValue={mapping[name] ?? ''}
        />
      ))}
      {current && (
        <>
          <RequiredClaims claims={required} onClaims={setRequired} />
          <Checkbox
            name="createsMembers"
            label={t.createsMembers}
            hint={t.createsMembersHint}
            defaultChecked={mapping.createsMembers}
          />
          <RoleField name="defaultRole" label={t.defaultRole} value={mapping.defaultRole} />
          <GroupRules rules={rules} onRules={setRules} current={current} />
        </>
      )}
      <Submit form={form} look="secondary">
        {t.save}
      </Submit>
    </form>
  )
}

/** The roles that groups can give: all but the owner's. */
function useMappableRoles(): { value: string; label: string }[] {
  const { roles, creatorRole } = useRules()
  const names = useRoleNames()
  return Object.keys(roles)
    .filter((role) => role !== creatorRole)
    .map((role) => ({ value: role, label: names.one(role) }))
}

function RoleField({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <SelectField name={name} label={label} defaultValue={value}>
      {useMappableRoles().map((role) => (
        <option key={role.value} value={role.value}>
          {role.label}
        </option>
      ))}
    </SelectField>
  )
}

interface RulesProps {
  rules: Rule[]
  onRules(rules: Rule[]): void
  current: Current
}

function GroupRules({ rules, onRules, current: { organization } }: RulesProps) {
  const t = useTexts(ssoTexts)
  const roles = useMappableRoles()
  return (
    <KeyedRows
      legend={t.groupRules}
      hint={t.groupRulesHint}
      rows={rules}
      onRows={onRules}
      added={{ group: '', target: `role:${roles[0]?.value ?? ''}` }}
      addLabel={t.addGroup}
      removeLabel={({ group }) => t.removeGroup(group)}
      fields={({ group, target }, change) => (
        <>
          <Field
            label={t.group}
            autoComplete="off"
            maxLength={256}
            value={group}
            onChange={(event) => change({ group: event.target.value })}
          />
          <SelectField label={t.gives} value={target} onChange={(event) => change({ target: event.target.value })}>
            {roles.map(({ value, label }) => (
              <option key={value} value={`role:${value}`}>
                {t.asRole(label)}
              </option>
            ))}
            {organization.teams?.map((team) => (
              <option key={team.id} value={`team:${team.id}`}>
                {t.asTeam(team.name)}
              </option>
            ))}
          </SelectField>
        </>
      )}
    />
  )
}
