/** Making elements. Text only ever becomes text: nothing here, and nothing in the page, parses markup. */

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

export class Dom {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  /** An element. A function is a listener for the event of its name; `true` is an attribute without value. */
  el<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    attributes: Attributes = {},
    ...children: Child[]
  ): HTMLElementTagNameMap[Tag] {
    return this.#fill(this.#document.createElement(tag), attributes, children);
  }

  svg<Tag extends keyof SVGElementTagNameMap>(
    tag: Tag,
    attributes: Attributes = {},
    ...children: Child[]
  ): SVGElementTagNameMap[Tag] {
    const element = this.#document.createElementNS('http://www.w3.org/2000/svg', tag);
    return this.#fill(element, attributes, children);
  }

  /** The element of the page with this id. */
  get<Type extends HTMLElement = HTMLElement>(id: string): Type {
    const found = this.#document.getElementById(id);
    if (!found) throw new Error(`no element ${id}`);
    return found as Type;
  }

  /** The children become these, and those that are the same stay: what has the focus or is open stays so. */
  patch(parent: Element, nodes: readonly Node[]): void {
    const wanted = new Set(nodes);
    for (const [at, node] of nodes.entries()) {
      const present = parent.childNodes[at];
      if (present === node || (present && !wanted.has(present) && present.isEqualNode(node))) continue;
      if (present && !wanted.has(present)) parent.replaceChild(node, present);
      else parent.insertBefore(node, present ?? null);
    }
    while (parent.childNodes.length > nodes.length) parent.lastChild!.remove();
  }

  #fill<Type extends Element>(element: Type, attributes: Attributes, children: readonly Child[]): Type {
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === 'function') element.addEventListener(name, value as (event: Event) => void);
      else if (value === true) element.setAttribute(name, '');
      else if (value !== false && value !== null && value !== undefined)
        element.setAttribute(name, String(value));
    }
    for (const child of children) {
      if (child !== null && child !== undefined && child !== false)
        element.append(typeof child === 'object' ? child : String(child));
    }
    return element;
  }
}
