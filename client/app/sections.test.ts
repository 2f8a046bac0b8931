import { describe, expect, it } from 'vitest'
import { defaultRoles } from '../../worker/kit/organization-roles.ts'
import type { FeatureSwitches, User } from '../lib/auth/endpoints.ts'
import { tabsAt } from '../ui/navigation.tsx'
import { entriesFor, groups } from './sections.ts'

/** Every feature. */
const all = new Proxy({}, { get: () => true }) as FeatureSwitches

const ownerGroups = groups.map(({ id }) => ({
  id,
  label: id,
  items: entriesFor(all, { role: 'user' } as User, {}, { role: 'owner', roles: defaultRoles })
    .filter(({ group }) => group === id)
    .map(({ path, icon, in: parent }) => ({ path, label: path, icon, in: parent })),
}))
const items = ownerGroups.flatMap((group) => group.items)

describe('the navigation of an owner', () => {
  it('has at most ten entries; others are tabs of one of them', () => {
    const paths = items.map(({ path }) => path)
    const entries = items.filter((item) => !item.in)
    expect(entries.map(({ path }) => path)).toEqual(expect.arrayContaining(['/organization/settings']))
    expect(entries.length).toBeLessThanOrEqual(10)
    for (const { in: parent } of items) if (parent) expect(paths).toContain(parent)
  })

  it('has each icon once', () => {
    const icons = items.filter((item) => !item.in).map(({ icon }) => icon)
    expect(new Set(icons).size).toBe(icons.length)
  })

  it('shows the tabs on each of their screens, not on the screen of one thing', () => {
    const tabs = ['/organization/members', '/organization/invitations', '/organization/teams']
    for (const path of tabs) expect(tabsAt(path, ownerGroups).map((tab) => tab.path)).toEqual(tabs)
    for (const path of ['/organization/teams/1', '/account/profile', '/elsewhere'])
      expect(tabsAt(path, ownerGroups)).toEqual([])
  })
})
