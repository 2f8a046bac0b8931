// One list of elements for the hosted pages (`brand.elements`) and the components (`appearance.elements`): each has its
// name as a class, in the document of a page with components after the prefix `gh-`.

export const elementNames = [
  'root',
  'card',
  'title',
  'intro',
  'section',
  'section-title',
  'field',
  'label',
  'control',
  'button',
  'button-primary',
  'button-secondary',
  'button-quiet',
  'button-danger',
  'button-destroy',
  'link',
  'note',
  'divider',
  'avatar',
  'badge',
  'menu',
  'menu-item',
  'dialog',
  'tabs',
  'tab',
  'slot',
] as const

export type ElementName = (typeof elementNames)[number]

/** CSS declarations, `{ borderRadius: '999px' }`. A key such as `:hover` has those of that state. */
export interface Declarations {
  [property: string]: string | { [property: string]: string }
}

export type Elements = Partial<Record<ElementName, Declarations>>

const property = /^-{0,2}[a-zA-Z][\w-]*$/
const state = /^:{1,2}[a-z-]+$/
// What ends a declaration or a style element, and what loads something: pictures have options of their own.
const harmful = /[{};<>\\@]|url\(|image-set\(|\/\*/i

/** @returns the first name or value that is not allowed */
export function declarationProblem(declarations: Declarations, isState = false): string | null {
  for (const [name, value] of Object.entries(declarations)) {
    if (typeof value === 'object') {
      if (isState || !state.test(name)) return name
      const problem = declarationProblem(value, true)
      if (problem !== null) return problem
    } else if (!property.test(name)) return name
    else if (value.trim() === '' || harmful.test(value)) return `${name}: ${value}`
  }
  return null
}

const kebab = (name: string) =>
  name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * The declarations of elements as style rules.
 * @param selectorOf the selector of an element @param end of each declaration, such as ` !important`
 */
export function rulesOf(elements: Elements, selectorOf: (name: ElementName) => string, end = ''): string {
  const rule = (selector: string, declarations: Declarations): string => {
    const own = Object.entries(declarations).flatMap(([name, value]) =>
      typeof value === 'string' ? `${kebab(name)}: ${value}${end};` : [],
    )
    const states = Object.entries(declarations).map(([name, value]) =>
      typeof value === 'string' ? '' : rule(selector + name, value),
    )
    return (own.length > 0 ? `${selector} { ${own.join(' ')} }\n` : '') + states.join('')
  }
  return elementNames.map((name) => rule(selectorOf(name), elements[name] ?? {})).join('')
}
