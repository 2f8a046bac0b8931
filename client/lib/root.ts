/** The class of the element that contains a component in a page of another product, before its prefix. */
export const rootClass = 'root'

/** The part of the document that is ours: all of it in the app, the component's own element elsewhere. */
export const rootOf = (element: Element): Element => element.closest(`.gh-${rootClass}`) ?? document.body

/** The focused element, also inside of a shadow root. */
export const focusedNear = (element: Element): Element | null =>
  (element.getRootNode() as Document | ShadowRoot).activeElement
