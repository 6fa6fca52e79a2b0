import type { FilterShapes } from 'pentad'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * Filters the text of `/llms.txt`.
     * @param text Markdown in the format of llmstxt.org.
     * @since 0.1.0
     */
    seo_llms_txt: [text: string]
  }
}

/** Valid results of these filters, checked at run time. */
export const filterShapes = {
  seo_llms_txt: 'string',
} satisfies FilterShapes
