/**
 * Runs once an element is in the document: dialogs and popovers cannot open before, and the app renders before it replaces
 * the first screen (take-over.ts). @returns a function that cancels it
 */
export function whenConnected(element: Element, run: () => void): () => void {
  let frame = 0
  function attempt() {
    if (element.isConnected) run()
    else frame = requestAnimationFrame(attempt)
  }
  attempt()
  return () => cancelAnimationFrame(frame)
}
