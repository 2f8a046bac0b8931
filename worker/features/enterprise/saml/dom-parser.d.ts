/** The used part of the parser. The types of the package would add those of browsers to the whole Worker. */
declare module '@xmldom/xmldom/lib/dom-parser.js' {
  export class DOMParser {
    constructor(options: { errorHandler: (level: string, message: unknown) => void })
    parseFromString(xml: string, type: 'text/xml'): unknown
  }
}
