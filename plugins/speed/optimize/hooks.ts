import { type FilterShapes, listOf, membersOf, oneOf, orNull } from 'pentad'

/** Which links browsers prefetch, and when (https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API). */
export interface SpeculationRules {
  readonly mode: 'prefetch' | 'prerender'
  readonly eagerness: 'conservative' | 'moderate' | 'eager'
}

declare module 'pentad' {
  interface Filters {
    /**
     * Filters the hosts of font services whose stylesheets and fonts are self-hosted. In the `local` environment,
     * local hosts (`127.0.0.1:8081`) are allowed too, without TLS.
     * @param hosts Host names, with the port if it is not the default.
     * @since 0.1.0
     */
    speed_font_hosts: [hosts: readonly string[]]
    /**
     * Filters the minimum number of pixels of an image that may be the Largest Contentful Paint (LCP) element.
     * @param pixels Width times height.
     * @since 0.1.0
     */
    wp_min_priority_img_pixels: [pixels: number]
    /**
     * Filters the number of images and iframes at the start of a page that are not lazy-loaded.
     * @param count Number, not counting small images.
     * @since 0.1.0
     */
    wp_omit_loading_attr_threshold: [count: number]
    /**
     * Filters the configuration of `<script type="speculationrules">`. Return `null` to omit it.
     * @param configuration Mode and eagerness.
     * @since 0.1.0
     */
    wp_speculation_rules_configuration: [configuration: SpeculationRules | null]
    /**
     * Filters the paths that browsers must not prefetch.
     * @param paths URL patterns: `/cart/*`.
     * @param mode `prefetch` or `prerender`.
     * @since 0.1.0
     */
    wp_speculation_rules_href_exclude_paths: [paths: readonly string[], mode: 'prefetch' | 'prerender']
  }
}

/** Runtime checks of the values that these filters return. */
export const filterShapes = {
  speed_font_hosts: listOf('string'),
  wp_min_priority_img_pixels: 'number',
  wp_omit_loading_attr_threshold: 'number',
  wp_speculation_rules_configuration: orNull(
    membersOf<SpeculationRules>(
      {},
      { mode: oneOf('prefetch', 'prerender'), eagerness: oneOf('conservative', 'moderate', 'eager') },
    ),
  ),
  wp_speculation_rules_href_exclude_paths: listOf('string'),
} satisfies FilterShapes
