import type { LucideIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { cx } from '../lib/cx.ts'

export interface NavigationItem {
  path: string
  label: string
  icon: LucideIcon
}

export interface NavigationGroup {
  id: string
  label: string
  items: NavigationItem[]
}

/** The navigation at the side: groups with a heading, the current page marked. */
export function SideNavigation({ groups, label }: { groups: NavigationGroup[]; label: string }) {
  const [location] = useLocation()
  return (
    <nav aria-label={label} className="grid gap-5">
      {groups.map((group) => (
        <div key={group.id} className="grid gap-1">
          <p className="px-3 text-xs font-medium text-soft" id={`nav-${group.id}`}>
            {group.label}
          </p>
          <ul aria-labelledby={`nav-${group.id}`} className="grid gap-0.5">
            {group.items.map(({ path, label: text, icon: Icon }) => {
              const here = location === path || location.startsWith(`${path}/`)
              return (
                <li key={path}>
                  <Link
                    href={path}
                    aria-current={here ? 'page' : undefined}
                    className={cx(
                      'flex min-h-9 items-center gap-2.5 rounded px-3 hover:bg-sunken',
                      here ? 'bg-sunken font-medium text-ink' : 'text-soft hover:text-ink',
                    )}
                  >
                    <Icon aria-hidden size={17} className="flex-none" />
                    {text}
                  </Link>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** Tabs that are links: each has its own address. */
export function Tabs({ label, tabs }: { label: string; tabs: { path: string; label: string }[] }) {
  const [location] = useLocation()
  return (
    <nav aria-label={label} className="-mx-4 overflow-x-auto border-b px-4">
      <ul className="flex gap-5">
        {tabs.map((tab) => (
          <li key={tab.path}>
            <Link
              href={tab.path}
              aria-current={location === tab.path ? 'page' : undefined}
              className={cx(
                '-mb-px flex min-h-10 items-center border-b-2 whitespace-nowrap',
                location === tab.path ? 'border-accent font-medium' : 'border-transparent text-soft hover:text-ink',
              )}
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
