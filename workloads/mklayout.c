/*
 * Prints the layouts of structures in an object file with DWARF, for annotations (annotations/symbols/layouts.h):
 *
 *     mklayout OBJECT STRUCTURE[/STRUCTURE...]|=ENUMERATOR...
 *
 * Of alternatives the first that the object has; `constant NAME VALUE` for an enumerator, if it has that. One command a
 * structure: `struct NAME SIZE {{FIELD OFFSET SIZE KIND} ...}`. Members of anonymous structures and unions are the
 * structure's own. KIND: u unsigned, i signed, c text, *NAME pointer to structure NAME, * other pointer, NAME a
 * structure within; KIND[N] an array. Bit fields are left out.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *what)
{
    fprintf(stderr, "mklayout: %s: %s\n", what, dwarf_errmsg(-1));
    exit(1);
}

static Dwarf_Word constant(Dwarf_Die *die, unsigned name, Dwarf_Word otherwise)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
        return otherwise;
    return value;
}

/* What is behind DIE's type, names and qualifiers taken off; false: nothing (void). */
static int type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, type))
        return 0;
    return dwarf_peel_type(type, type) == 0;
}

static int is_aggregate(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

static Dwarf_Word elements(Dwarf_Die *array)
{
    Dwarf_Die child;
    Dwarf_Word count = 1;
    if (dwarf_child(array, &child) != 0)
        return 0;
    do {
        Dwarf_Word bound = constant(&child, DW_AT_upper_bound, (Dwarf_Word)-1);
        count *= constant(&child, DW_AT_count, bound + 1);
    } while (dwarf_siblingof(&child, &child) == 0);
    return count;
}

static void print_kind(Dwarf_Die *type)
{
    Dwarf_Die target;
    Dwarf_Word encoding;
    switch (dwarf_tag(type)) {
    case DW_TAG_pointer_type:
        if (type_of(type, &target) && is_aggregate(&target) && dwarf_diename(&target))
            printf("*%s", dwarf_diename(&target));
        else
            putchar('*');
        break;
    case DW_TAG_structure_type:
    case DW_TAG_union_type: printf("%s", dwarf_diename(type) ? dwarf_diename(type) : "?"); break;
    case DW_TAG_array_type:
        if (!type_of(type, &target))
            break;
        encoding = constant(&target, DW_AT_encoding, 0);
        if (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char) {
            putchar('c');
            break;
        }
        print_kind(&target);
        printf("[%llu]", (unsigned long long)elements(type));
        break;
    default:
        encoding = constant(type, DW_AT_encoding, DW_ATE_unsigned);
        putchar(encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ? 'i' : 'u');
    }
}

static void print_members(Dwarf_Die *die, Dwarf_Word base)
{
    Dwarf_Die member, type;
    if (dwarf_child(die, &member) != 0)
        return;
    do {
        Dwarf_Word size = 0;
        const char *name = dwarf_diename(&member);
        Dwarf_Word offset = base + constant(&member, DW_AT_data_member_location, 0);
        if (dwarf_tag(&member) != DW_TAG_member || dwarf_hasattr(&member, DW_AT_bit_size) ||
            dwarf_hasattr(&member, DW_AT_data_bit_offset) || !type_of(&member, &type))
            continue;
        if (!name && is_aggregate(&type)) {
            print_members(&type, offset);
            continue;
        }
        dwarf_aggregate_size(&type, &size);
        printf("\n    {%s %llu %llu ", name ? name : "?", (unsigned long long)offset, (unsigned long long)size);
        print_kind(&type);
        putchar('}');
    } while (dwarf_siblingof(&member, &member) == 0);
}

/* Calls PRINT for what the units declare, one by one, until it has found NAME and printed it; 0 if it never does. */
static int print_named(Dwarf *dwarf, int (*print)(Dwarf_Die *, const char *name), const char *name)
{
    Dwarf_Off offset = 0, next;
    size_t header;
    for (; dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0; offset = next) {
        Dwarf_Die unit, die;
        if (!dwarf_offdie(dwarf, offset + header, &unit) || dwarf_child(&unit, &die) != 0)
            continue;
        do {
            if (print(&die, name))
                return 1;
        } while (dwarf_siblingof(&die, &die) == 0);
    }
    return 0;
}

static int print_structure(Dwarf_Die *die, const char *name)
{
    if (!is_aggregate(die) || !dwarf_diename(die) || strcmp(dwarf_diename(die), name) != 0 ||
        dwarf_hasattr(die, DW_AT_declaration))
        return 0;
    printf("struct %s %llu {", name, (unsigned long long)constant(die, DW_AT_byte_size, 0));
    print_members(die, 0);
    puts("\n}");
    return 1;
}

/* The first of NAMES, which are separated by slashes. */
static int print_first(Dwarf *dwarf, const char *names)
{
    char name[256];
    for (const char *at = names; *at; at += strspn(at, "/")) {
        size_t length = strcspn(at, "/");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length;
        if (print_named(dwarf, print_structure, name))
            return 1;
    }
    fprintf(stderr, "mklayout: no structure %s\n", names);
    return 0;
}

static int print_enumerator(Dwarf_Die *type, const char *name)
{
    Dwarf_Die child;
    if (dwarf_tag(type) != DW_TAG_enumeration_type || dwarf_child(type, &child) != 0)
        return 0;
    do {
        if (dwarf_tag(&child) == DW_TAG_enumerator && dwarf_diename(&child) &&
            strcmp(dwarf_diename(&child), name) == 0) {
            printf("constant %s %llu\n", name, (unsigned long long)constant(&child, DW_AT_const_value, 0));
            return 1;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return 0;
}

int main(int argc, char **argv)
{
    int good = argc > 2, fd = good ? open(argv[1], O_RDONLY) : -1;
    Dwarf *dwarf = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    if (!dwarf)
        give_up(argc > 2 ? argv[1] : "mklayout OBJECT STRUCTURE...");
    for (int i = 2; i < argc; i++)
        if (argv[i][0] == '=')
            print_named(dwarf, print_enumerator, argv[i] + 1);
        else
            good &= print_first(dwarf, argv[i]);
    dwarf_end(dwarf);
    return good ? 0 : 1;
}
