import type { FilterShapes } from 'pentad'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * The text of `/llms.txt`.
     * @param text Markdown as llmstxt.org describes it
     * @since 0.1.0
     */
    seo_llms_txt: [text: string]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  seo_llms_txt: 'string',
} satisfies FilterShapes
