// Marks a scrollable list: `data-more` is set while content is left below its edge.
import type { Attachment } from "svelte/attachments";

export const more: Attachment<HTMLElement> = (element) => {
  const update = (): void => {
    element.toggleAttribute("data-more", element.scrollHeight - element.clientHeight - element.scrollTop > 6);
  };
  const size = new ResizeObserver(update);
  size.observe(element);
  const inside = new MutationObserver(update);
  inside.observe(element, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["class", "open"],
  });
  element.addEventListener("scroll", update, { passive: true });
  update();
  return () => {
    size.disconnect();
    inside.disconnect();
    element.removeEventListener("scroll", update);
  };
};
