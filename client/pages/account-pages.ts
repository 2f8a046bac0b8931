import { LockKeyhole, UserRound } from 'lucide-react'
import type { NavigationEntry } from '../lib/navigation.ts'
import { defineTexts } from '../lib/texts/define.ts'

/** The pages of the account, which the account menu lists too. */
export const ofPages: NavigationEntry[] = [
  {
    group: 'account',
    path: '/account/profile',
    label: defineTexts('navigation/account/profile', { label: 'Profile' }),
    icon: UserRound,
  },
  {
    group: 'account',
    path: '/account/security',
    label: defineTexts('navigation/account/security', { label: 'Security' }),
    icon: LockKeyhole,
  },
]
