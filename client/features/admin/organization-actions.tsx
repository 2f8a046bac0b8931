import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { chosenRoles, roleField } from '../../lib/permissions.ts'
import { refreshQueries } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Menu, MenuButton, MenuLine } from '../../ui/menu.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useRoleNames, useRules } from '../organization/current.tsx'
import { RoleChoice } from '../organization/role-choice.tsx'
import { organizationsTexts } from './organizations.texts.ts'
import { useMemberCount } from './organizations.tsx'
import { useRights } from './rights.ts'

export type Detailed = AnswerOf<'/admin/get-organization'>
export type OrganizationMember = Detailed['members'][number]

export const nameOfMember = ({ user }: OrganizationMember): string => user.name || user.email

const refresh = () =>
  refreshQueries('adminOrganization', 'adminOrganizations', 'adminUser', 'adminAudit', 'activeOrganization')

export function useOwners({ members }: Detailed): OrganizationMember[] {
  const { creatorRole } = useRules()
  return members.filter(({ role }) => splitRoles(role).includes(creatorRole))
}

/** What the administrator may do with an organization. */
export function OrganizationMenu({ organization }: { organization: Detailed }) {
  const t = useTexts(organizationsTexts)
  const { may } = useRights()
  const count = useMemberCount()
  const owners = useOwners(organization)
  const [, navigate] = useLocation()
  const [transferring, setTransferring] = useState(false)
  const { id, name, slug, memberCount, members } = organization
  const mayTransfer = may({ organization: ['update'] }) && members.length > owners.length
  const mayDelete = may({ organization: ['delete'] })
  if (!mayTransfer && !mayDelete) return null
  return (
    <>
      <ConfirmDestroy
        title={t.deleteQuestion(name)}
        action={t.deleteIt}
        phrase={slug}
        errors={t.errors}
        send={() => auth.admin.deleteOrganization({ organizationId: id })}
        done={() => {
          toast(t.deleted(name))
          navigate('/admin/organizations')
          refresh()
        }}
        trigger={(ask) => (
          <Menu
            button={
              <>
                {t.actions}
                <ChevronDown aria-hidden size={16} />
              </>
            }
            buttonClassName={buttonClass()}
          >
            {mayTransfer && <MenuButton onClick={() => setTransferring(true)}>{t.transfer}</MenuButton>}
            {mayTransfer && mayDelete && <MenuLine />}
            {mayDelete && (
              <MenuButton danger onClick={ask}>
                {t.deleteIt}
              </MenuButton>
            )}
          </Menu>
        )}
      >
        {t.deleteWhat(count(memberCount))}
      </ConfirmDestroy>
      <Dialog open={transferring} title={t.transferOf(name)} onClose={() => setTransferring(false)}>
        <TransferForm organization={organization} close={() => setTransferring(false)} />
      </Dialog>
    </>
  )
}

interface MemberProps {
  organization: Detailed
  member: OrganizationMember
}

/** What the administrator may do with a member. */
export function MemberMenu({ organization, member }: MemberProps) {
  const t = useTexts(organizationsTexts)
  const owners = useOwners(organization)
  const [open, setOpen] = useState<'roles' | 'transfer' | null>(null)
  const close = () => setOpen(null)
  const name = nameOfMember(member)
  return (
    <span className="ms-auto">
      <ConfirmDestroy
        title={t.removeQuestion(name)}
        action={t.removeMember}
        errors={t.errors}
        send={() => auth.admin.removeOrganizationMember({ organizationId: organization.id, memberId: member.id })}
        done={() => {
          toast(t.removed(name))
          refresh()
        }}
        trigger={(ask) => (
          <Menu label={t.actionsOf(name)}>
            <MenuButton onClick={() => setOpen('roles')}>{t.changeRoles}</MenuButton>
            {!owners.includes(member) && <MenuButton onClick={() => setOpen('transfer')}>{t.makeOwner}</MenuButton>}
            <MenuButton danger onClick={ask}>
              {t.removeMember}
            </MenuButton>
          </Menu>
        )}
      >
        {t.removeWhat(name, organization.name)}
      </ConfirmDestroy>
      <Dialog open={open === 'roles'} title={t.rolesOf(name)} onClose={close}>
        <RolesForm organization={organization} member={member} close={close} />
      </Dialog>
      <Dialog open={open === 'transfer'} title={t.transferOf(organization.name)} onClose={close}>
        <TransferForm organization={organization} to={member} close={close} />
      </Dialog>
    </span>
  )
}

function RolesForm({ organization, member, close }: MemberProps & { close(): void }) {
  const t = useTexts(organizationsTexts)
  const known = Object.keys(useRules().roles)
  const first = roleField(known[0] ?? '')
  const form = useForm({
    fields: known.map(roleField),
    check: (values) => ({ [first]: chosenRoles(values, known).length === 0 && t.roleRequired }),
    send: (values) =>
      auth.admin.updateOrganizationMember({
        organizationId: organization.id,
        memberId: member.id,
        role: chosenRoles(values, known),
      }),
    errors: t.errors,
    done: () => {
      toast(t.rolesChanged(nameOfMember(member)))
      close()
      refresh()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <RoleChoice checked={splitRoles(member.role)} mayGrant={() => true} error={form.field(first).error} />
      <Submit form={form} onCancel={close}>
        {t.save}
      </Submit>
    </form>
  )
}

interface TransferProps {
  organization: Detailed
  /** The new owner, if they are chosen already. */
  to?: OrganizationMember
  close(): void
}

function TransferForm({ organization, to, close }: TransferProps) {
  const t = useTexts(organizationsTexts)
  const names = useRoleNames()
  const owners = useOwners(organization)
  const others = organization.members.filter((member) => !owners.includes(member))
  const only = owners.length === 1 ? owners[0] : undefined
  const nameOf = (id: string) => nameOfMember(organization.members.find((member) => member.id === id)!)
  const form = useForm({
    fields: ['to', 'from', 'formerRole'],
    check: (values) => ({ to: values.to === '' && t.personRequired }),
    send: ({ to, from, formerRole }) =>
      auth.admin.transferOrganization({
        organizationId: organization.id,
        memberId: to,
        ...(from ? { from } : {}),
        formerRole: formerRole === 'member' ? 'member' : 'admin',
      }),
    errors: t.errors,
    done: (_answer, values) => {
      toast(t.transferred(nameOf(values.to)))
      close()
      refresh()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <p className="text-soft">{t.transferWhat}</p>
      <SelectField {...form.field('to')} label={t.newOwner} defaultValue={to?.id ?? ''}>
        {!to && <option value="">{t.choose}</option>}
        {(to ? [to] : others).map((member) => (
          <option key={member.id} value={member.id}>
            {optionOf(member)}
          </option>
        ))}
      </SelectField>
      {owners.length > 1 && (
        <SelectField {...form.field('from')} label={t.formerOwner}>
          {owners.map((member) => (
            <option key={member.id} value={member.id}>
              {optionOf(member)}
            </option>
          ))}
        </SelectField>
      )}
      {owners.length > 0 && (
        <SelectField
          {...form.field('formerRole')}
          label={only ? t.formerRole(nameOfMember(only)) : t.formerRoleOfOwner}
          defaultValue="admin"
        >
          {['admin', 'member'].map((role) => (
            <option key={role} value={role}>
              {names.one(role)}
            </option>
          ))}
        </SelectField>
      )}
      <Submit form={form} onCancel={close}>
        {t.transfer}
      </Submit>
    </form>
  )
}

const optionOf = ({ user }: OrganizationMember): string => (user.name ? `${user.name} (${user.email})` : user.email)
