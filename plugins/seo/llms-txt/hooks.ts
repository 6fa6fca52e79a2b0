import type {} from 'pentad'

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
