/** The custom elements of /embed.js, without the prefix `gatehouse-`, with their attributes. Each name is that of a component, and an attribute that of its property. */
export const embeddedElements = {
  'sign-in': ['redirect-to'],
  'sign-up': ['redirect-to'],
  'user-button': ['signed-out-to'],
  'user-profile': ['page', 'deleted-to'],
  'organization-switcher': ['create-at'],
  'organization-profile': ['page'],
  'create-organization': ['created-to'],
  'api-keys': [],
  'pricing-table': [],
} as const

export type ElementKind = keyof typeof embeddedElements
