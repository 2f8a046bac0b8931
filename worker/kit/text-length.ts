/** The number of characters (code points, as NIST SP 800-63B, section 3.1.1.2, counts those of passwords). */
export const lengthOf = (text: string): number => [...text].length
